"""The public projects of the part `projects`: how each is built, which of its own tests are run, and what is known about
the reports. Every report was looked into in the project's source; docs/studies/public-projects.md says what each one is."""
import dataclasses

# Words in what is executed: {source} and {input} are paths, {cc} and {cxx} compilers; the folder of the build is the current one.
CMAKE = ("cmake -G Ninja -Wno-dev -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER={cc} -DCMAKE_CXX_COMPILER={cxx} "
         "{source} ")
LEVELDB = "{cxx} -O2 -g -std=c++14 -fno-rtti -DLEVELDB_PLATFORM_POSIX=1 -Iheaders -Iinclude -I{source} -I{source}/include "


@dataclasses.dataclass(frozen=True)
class Report:
    """A report that was looked into: its kind, a word that is in it or in its case, and what it is."""
    kind: str
    word: str
    verdict: str


@dataclasses.dataclass(frozen=True)
class Project:
    name: str  # of the source package
    build: tuple[str, ...]
    cases: tuple[str, ...]  # a shell's words; the program is in the folder of the build
    reports: tuple[Report, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    options: tuple[str, ...] = ()  # of snag run


PROJECTS = (
    Project(
        "libuv1", (CMAKE + "-DLIBUV_BUILD_TESTS=ON", "cmake --build . --target uv_run_tests_a"),
        tuple(f"./uv_run_tests_a {case} {case}" for case in (
            "thread_rwlock_trylock", "thread_create", "thread_local_storage", "condvar_1", "condvar_2", "condvar_3",
            "condvar_4", "condvar_5", "semaphore_1", "semaphore_2", "barrier_1", "barrier_2", "barrier_3",
            "barrier_serial_thread", "async", "async_null_cb", "threadpool_queue_work_simple",
            "threadpool_multiple_event_loops", "threadpool_cancel_work", "threadpool_cancel_fs",
            "threadpool_cancel_single", "threadpool_cancel_random", "metrics_idle_time_thread")),
        (Report("abort", "condvar_timedwait", "the test demands that a signal comes within a second"),
         Report("abort", "run_test_condvar_5", "the test demands that a wait without a signal ends by its timeout"),
         Report("abort", "run_test_semaphore_1", "the test takes a sleep of 100 ms for synchronisation"),
         Report("abort", "metrics_routine_cb", "the test demands that a loop is idle for half a second")),
        (("UV_RUN_AS_ROOT", "1"),)),
    Project(
        "nng", (CMAKE + "-DNNG_TESTS=ON -DNNG_TOOLS=OFF",
                "cmake --build . --target aio_test sock_test pair1_test req_test"),
        tuple(f"src/core/aio_test --no-exec {case}" for case in (
            "sleep", "'provider cancel'", "'consumer cancel'", "traffic", "'explicit timeout'", "'aio reap'",
            "'sleep loop'", "'sleep cancel'")) +
        tuple(f"src/core/sock_test --no-exec '{case}'" for case in (
            "recv timeout", "send recv", "late connection")),
        (Report("race", "nni_aio_begin", "begin resets the request without its lock, as the comment there says"),
         Report("signal", "test_traffic", "the test uses the message of a request that has timed out"),
         Report("signal", "test_send_recv", "the test uses the message of a request that has timed out"),
         Report("exit", "sleep cancel", "the test demands that 50 ms are enough"),
         Report("lost-wakeup", "nni_aio_expire_q_free", "a bug: the thread waits again without looking at eq_exit"),
         Report("deadlock", "nni_aio_expire_q_free", "the same bug"),
         Report("heap", "nni_aio_expire_q_free", "the test ends although a request is not over, and so the library"),
         Report("heap", "nni_aio_fini", "the test ends although a request is not over, and so the library"),
         Report("lock-misuse", "nni_aio_expire_q_free", "the test ends although a request is not over, and so the library"))),
    Project(
        "leveldb", (CMAKE + "-DLEVELDB_BUILD_TESTS=OFF -DLEVELDB_BUILD_BENCHMARKS=OFF -DHAVE_SNAPPY=OFF -DHAVE_CRC32C=OFF "
                    "-DHAVE_TCMALLOC=OFF",
                    "cmake --build . --target leveldb",
                    "mkdir -p headers/third_party/googletest/googletest headers/third_party/googletest/googlemock",
                    "ln -sfn /usr/include headers/third_party/googletest/googletest/include",
                    "ln -sfn /usr/include headers/third_party/googletest/googlemock/include",
                    LEVELDB + "-c {source}/util/testutil.cc",
                    *(LEVELDB + f"{{source}}/{test}.cc testutil.o libleveldb.a -lgtest -lgmock -pthread -o {test.split('/')[-1]}"
                      for test in ("util/env_test", "helpers/memenv/memenv_test"))),
        tuple(f"./env_test --gtest_filter=EnvTest.{case}" for case in ("RunImmediately", "RunMany", "StartThread")) +
        ("./memenv_test --gtest_filter=*.DBTest",)),
    Project(
        "readerwriterqueue", ("{cxx} -std=c++11 -DNDEBUG -O2 -g -I{source} {source}/tests/unittests/unittests.cpp "
                              "{source}/tests/common/simplethread.cpp -o unittests -pthread",),
        tuple(f"./unittests --disable-prompt --run {case}"
              for case in ("size_approx", "threaded", "blocking", "blocking_circular_buffer")),
        (Report("race", "size_approx", "a bug: a new block is linked before the release fence that publishes it"),),
        options=("--max-steps", "30000000")),
    Project(
        "pbzip2", ("cp -r {source}/. .",
                   "make -s CXX={cxx} CXXFLAGS='-O2 -g -w -pthread -D_POSIX_PTHREAD_SEMANTICS -D_LARGEFILE64_SOURCE "
                   "-D_FILE_OFFSET_BITS=64 -DUSE_STACKSIZE_CUSTOMIZATION' pbzip2"),
        ("./pbzip2 -kfc -p3 -b1 {input}", "./pbzip2 -dkfc -p3 {input}.bz2")),
    Project(
        "libmicrohttpd", ("{source}/configure --quiet --disable-shared --disable-doc --disable-examples --disable-https "
                          "--disable-curl CC={cc} CFLAGS='-O2 -g'",
                          "make -s", "make -s -C src/microhttpd check TESTS="),
        ("src/microhttpd/test_start_stop", "src/microhttpd/test_shutdown_poll", "src/microhttpd/test_shutdown_select",
         "src/microhttpd/test_upgrade"),
        (Report("race", "MHD_stop_daemon", "the flag `shutdown` is a volatile variable, not an atomic one"),
         Report("race", "test_upgrade.c", "the test's own flag `done` is a volatile variable, not an atomic one"),
         Report("race", "resume_suspended_connections", "flags of connections are volatile variables, read without the lock"),
         Report("race", "data_already_pending", "a flag of the daemon is written by the threads of connections"))),
    Project(
        "nanomsg", (CMAKE + "-DNN_ENABLE_DOC=OFF -DNN_TOOLS=OFF -DNN_STATIC_LIB=ON",
                    "cmake --build . --target inproc pair block async_shutdown survey pubsub term poll timeo"),
        tuple(f"./{case}" for case in ("inproc", "pair", "block", "async_shutdown", "survey", "pubsub", "term", "poll",
                                       "timeo")),
        (Report("race", "nn_queue", "a bug: events are taken from the queue without the lock of their owner"),
         Report("heap", "nn_fsm_event_process", "the same bug: the owner frees an event that is about to be processed"),
         Report("race", "nn_sock_hold", "a bug: the state of a socket is read under another lock than it is written"),
         Report("abort", "term.c", "the test takes a sleep of 100 ms for synchronisation"),
         Report("abort", "test_socket_impl", "the test takes a sleep of 100 ms for synchronisation"),
         Report("abort", "survey.c", "the test demands that answers come within half a second"),
         Report("abort", "poll.c", "the test demands that a message comes within a second"))),
    Project(
        "spdlog", (CMAKE + "-DSPDLOG_BUILD_EXAMPLE=OFF -DSPDLOG_FMT_EXTERNAL=ON", "cmake --build . --target spdlog",
                   "sh -c '{cxx} -O2 -g -std=c++14 -DSPDLOG_COMPILED_LIB -DSPDLOG_FMT_EXTERNAL -I{source}/include "
                   "{source}/tests/main.cpp {source}/tests/test_async.cpp {source}/tests/test_mpmc_q.cpp "
                   "{source}/tests/utils.cpp libspdlog*.a -lfmt -pthread -o async_tests'"),
        tuple(f"./async_tests {case}" for case in (
            "'basic async test'", "'discard policy'", "flush", "'async periodic flush'", "'tp->wait_empty()'",
            "'multi threads'")),
        (Report("exit", "periodic flush", "the test demands that a flush every second comes once in 1.7 s"),)),
    # Its atomics are inline assembly, which has no hooks, and its flags are volatile variables: without data races.
    Project(
        "liburcu", ("{source}/configure --quiet --disable-shared CC={cc} CFLAGS='-O2 -g'",
                    "make -s -C include", "make -s -C src", "make -s -C tests/utils check TESTS=",
                    "make -s -C tests/common check TESTS=",
                    "make -s -C tests/benchmark test_urcu_lfq test_urcu_mb test_mutex"),
        tuple(f"tests/benchmark/{case} 2 1 1" for case in ("test_urcu_lfq", "test_urcu_mb", "test_mutex")),
        options=("--races", "off")),
)
