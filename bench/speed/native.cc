// The same operations without Snag, compiled as usual: prints ns for each operation.
//
//   native store|add|yield|thread|runs    what in_process.cc does under control
//   native accesses TYPE HOW WHEN         also compiled with ThreadSanitizer
//   native handoff THREADS                hands a token round by futex, all threads pinned to one
//                                         core
//   native spawn COUNT PROGRAM            starts the program COUNT times and waits for it: fork +
//                                         exec
#include <linux/futex.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "accesses.h"
#include "timing.h"
#include "workloads.h"

extern char** environ;

namespace {

template <class Work>
void measure(double operations, Work work) {
  speed::Stretch stretch;
  work();
  stretch.stop();
  speed::print(stretch, operations);
}

void pin_to_this_core() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &cores);
  pthread_setaffinity_np(pthread_self(), sizeof cores, &cores);
}

long futex(std::atomic<int>& word, int operation, int value) {
  return syscall(SYS_futex, reinterpret_cast<int*>(&word), operation | FUTEX_PRIVATE_FLAG, value,
                 nullptr, nullptr, 0);
}

// Each thread waits for its own word, and sets the next one's.
void handoff(int threads) {
  struct alignas(64) Turn {
    std::atomic<int> mine{0};
  };
  constexpr int kHandoffs = 40'000;
  const int rounds = kHandoffs / threads;
  std::vector<Turn> turns(static_cast<std::size_t>(threads));
  pin_to_this_core();
  std::vector<std::thread> all;
  speed::Stretch stretch;
  for (int i = 0; i < threads; ++i) {
    all.emplace_back([&, i] {
      std::atomic<int>& mine = turns[static_cast<std::size_t>(i)].mine;
      std::atomic<int>& next = turns[static_cast<std::size_t>((i + 1) % threads)].mine;
      for (int round = 1; round <= rounds; ++round) {
        for (int seen; (seen = mine.load()) < round;) futex(mine, FUTEX_WAIT, seen);
        next.fetch_add(1);
        futex(next, FUTEX_WAKE, 1);
      }
    });
  }
  turns[0].mine.fetch_add(1);
  futex(turns[0].mine, FUTEX_WAKE, 1);
  for (std::thread& thread : all) thread.join();
  stretch.stop();
  speed::print(stretch, static_cast<double>(rounds) * threads);
}

int spawn(int count, char** arguments) {
  speed::Stretch stretch;
  for (int i = 0; i < count; ++i) {
    pid_t child;
    int status;
    if (posix_spawn(&child, arguments[0], nullptr, nullptr, arguments, environ) != 0 ||
        waitpid(child, &status, 0) != child || status != 0) {
      std::fprintf(stderr, "native: %s does not run\n", arguments[0]);
      return 1;
    }
  }
  stretch.stop();
  speed::print(stretch, count);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  std::atomic<int> cell{0};
  if (what == "store") {
    measure(100'000'000, [&] { speed::stores(cell, 100'000'000); });
  } else if (what == "add") {
    measure(10'000'000, [&] { speed::increments(cell, 10'000'000); });
  } else if (what == "yield") {
    measure(200'000, [] { speed::yields(200'000); });
  } else if (what == "thread") {
    measure(2'000, [] { speed::create_and_join(2'000); });
  } else if (what == "runs") {
    measure(1'500, [] {
      for (int i = 0; i < 1'500; ++i) {
        speed::Counters counters;
        speed::in_threads(2, [&] { counters.count(); });
      }
    });
  } else if (what == "accesses" && argc > 4) {
    constexpr int kTimes = 500;
    speed::Accesses accesses(argv[2], argv[3], argv[4]);
    accesses.with_another_thread([&] {
      measure(static_cast<double>(kTimes) * speed::Accesses::kCount, [&] {
        for (int i = 0; i < kTimes; ++i) accesses.run();
      });
    });
  } else if (what == "handoff" && argc > 2) {
    handoff(std::atoi(argv[2]));
  } else if (what == "spawn" && argc > 3) {
    return spawn(std::atoi(argv[2]), argv + 3);
  } else {
    std::fprintf(stderr, "native: which measurement? See the head of native.cc\n");
    return 2;
  }
}
