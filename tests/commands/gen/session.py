"""Sessions of `snag gen` on the drivers in drivers/, which the build has compiled."""

import contextlib
import os
import pathlib
import signal
import subprocess

from snagtest import case, each, expect, expect_equal, option, path, run

SOURCES = pathlib.Path(__file__).resolve().parent / "drivers"

option("--drivers", type=path, help="the folder of the compiled drivers")


def driver_path(test, name):
    return test.options.drivers / name


def session(test, driver, *options, code=0):
    """The JSON report of a session, whose violations must be true."""
    data = test.json("gen-driver", "--json", "--quiet", *options, driver_path(test, driver), code=code)
    expect_equal(data["exit"], code, "the report has another exit code")
    for violation in data["violations"]:
        check_violation(violation)
    return data


def check_violation(violation):
    """Its trace was replayed, and no linearization gives the same results."""
    expect(violation["confirmed"], "not confirmed", violation)
    orders = violation["linearizations"]
    expect(len(orders) > 0, "no linearization was tried", violation)
    if "results" in violation:
        prefix = len(violation["test"]["prefix"])
        compared = [text.split(" (")[0] for text in violation["results"][prefix:]]
        for order in orders:
            if order["finished"]:
                other = [text.split(" (")[0] for text in order["results"][prefix:]]
                expect(compared != other, f"the order {order['order']} explains it", violation)


# The kind of each driver's bug.
BUGS = {"stack": "data race", "stale_map": "wrong result", "account": "deadlock", "store": "wrong result",
        "stream": "exception", "channel": "deadlock"}


@each({f"finds.{driver}": driver for driver in BUGS})
def finds(test, driver):
    for seed in ("1", "2", "3"):
        data = session(test, driver, "--seed", seed, "--tests", "2000", code=1)
        expect(len(data["violations"]) == 1, "not one violation", data["violations"])
        violation = data["violations"][0]
        expect(violation["kind"] == BUGS[driver], f"seed {seed}: {violation['kind']} instead of {BUGS[driver]}")
        expect(violation["calls"] <= 5, f"seed {seed}: the test is not small", violation["test"])


@each({"finds.with_policy_random": "random", "finds.with_policy_naive": "naive"})
def finds_with_policy(test, policy):
    session(test, "stale_map", "--policy", policy, "--tests", "5000", "--seed", "4", code=1)


@case(name="finds.with_three_threads")
def finds_with_three_threads(test):
    data = session(test, "stale_map", "--threads", "3", "--seed", "5", "--tests", "2000", code=1)
    expect(len(data["violations"][0]["test"]["threads"]) == 2, "two threads are enough for this bug", data["violations"])


@case(name="finds.without_shrinking")
def finds_without_shrinking(test):
    data = session(test, "stale_map", "--shrink-time", "0", "--seed", "1", "--tests", "2000", code=1)
    found = data["violations"][0]
    expect(found["calls"] == found["calls_at_first"] > 2, "shrunk in spite of --shrink-time 0", found)


@case(name="finds.without_race_detector")
def finds_without_race_detector(test):
    """Not the race but its consequence."""
    data = session(test, "stack", "--oracle", "-races,-heap", "--seed", "1", "--tests", "3000", code=1)
    expect(data["violations"][0]["kind"] in ("wrong result", "exception", "crash"), "wrong kind", data)


@case(name="finds.several")
def finds_several(test):
    data = session(test, "stack", "--keep-going", "--seed", "1", "--tests", "300", code=1)
    groups = [(v["kind"], tuple(sorted({m for t in v["methods"] for m in t}))) for v in data["violations"]]
    expect(len(groups) > 1 and len(groups) == len(set(groups)), "only one violation, or one twice", groups)


@each({f"clean.{driver}": driver for driver in ("queue", "stale_map_fixed", "account_fixed", "stream_fixed",
                                                "channel_fixed")})
def clean(test, driver):
    for options in (["--tests", "2000", "--schedules", "system"], ["--tests", "300", "--threads", "3"], ["--tests", "600"]):
        if driver == "channel_fixed" and "system" in options:
            continue  # there, each test in which all threads wait takes the whole --hang-timeout
        data = session(test, driver, "--seed", "7", *options)
        expect_equal(data["tests"], int(options[1]), f"{options}: wrong number of tests")
        expect_equal(data["unconfirmed"], 0, f"{options}: there are suspicions")
    coverage = data["coverage"]
    expect(coverage["covered"] == coverage["pairs"], "not all pairs ran concurrently", coverage)


@case(name="difficult.controlled")
def difficult(test):
    data = session(test, "difficult", "--seed", "1", "--tests", "300", "--hang-timeout", "1")
    left_out = {entry["method"] for entry in data["left_out"]}
    expect_equal(left_out, {"leave()", "crash()", "spin_for_ever()"}, "wrong methods are left out")
    expect(data["not_compared"] in ([], ["serial_number()"]), "wrong methods are not compared", data["not_compared"])
    expect_equal(data["tests"], 300, "wrong number of tests")


@case(name="difficult.system")
def difficult_system(test):
    data = session(test, "difficult", "--seed", "2", "--tests", "300", "--hang-timeout", "1", "--schedules", "system")
    expect_equal(data["tests"], 300, "wrong number of tests")


@case(name="difficult.rendezvous")
def rendezvous(test):
    session(test, "rendezvous", "--seed", "3", "--tests", "150", "--hang-timeout", "1")


@case
def report(test):
    done = test.snag("gen-driver", "--seed", "1", "--tests", "2000", "--quiet", "--coverage", "--coverage-csv", "curve.csv",
                     "--test-header", "stale_map.h", driver_path(test, "stale_map"), code=1)
    for words in ("is not thread-safe: wrong result", "the smallest test", "auto object = StaleMap();",
                  "what happened:", "none explains it", "to see it again:", "pairs of methods ran concurrently"):
        expect(words in done.out, f"'{words}' is missing", done)
    curve = pathlib.Path("curve.csv").read_text().splitlines()
    expect(curve[0] == "seconds,tests,covered,tried,pairs" and len(curve) > 1, "wrong curve", curve)
    trace = next(line.split()[-1] for line in done.out.splitlines() if line.startswith("to see it again"))
    test.snag("replay", trace, code=1, says="no order of these calls")


@case
def same_seed(test):
    first, second = (session(test, "stale_map", "--seed", "1", "--tests", "2000", code=1) for _ in range(2))
    expect(first["violations"][0]["test"] == second["violations"][0]["test"], "the same seed gives another test")


@case
def bad_command_lines(test):
    queue = driver_path(test, "queue")
    test.snag("gen-driver", code=2)
    test.snag("gen-driver", "--policy", "best", queue, code=2)
    for oracle in ("nothing", "", "races,-races", "-exceptions,-crashes,-deadlocks,-heap,-races,-locks,-results"):
        test.snag("gen-driver", "--oracle", oracle, queue, code=2)
    test.snag("gen-driver", "--shrink-time", "-1", queue, code=2)
    pathlib.Path("no_driver.cc").write_text("int main() {}\n")
    test.snag("gen-driver", test.compile("no_driver.cc", "no_driver"), code=3, says="is it a driver of snag gen?")


def check_shown_run(test, violation):
    """The reported results are those of the trace, whose exception is the one in the headline."""
    replayed = test.snag("replay", violation["trace"], code=1).out
    message = next(line for line in replayed.splitlines() if " gives: " in line)
    calls = [text for thread in violation["methods"] for text in thread]
    prefix = len(violation["test"]["prefix"])
    reported = violation["results"][prefix:prefix + len(calls)]
    shown = message.split(" -> ")[1:]
    expect(len(shown) == len(reported) and all(text.startswith(result) for text, result in zip(shown, reported)),
           f"reported: {reported}, but the trace has: {message}")
    if violation["kind"] == "exception":
        expect(any(result.startswith(violation["message"]) for result in reported), "another exception", violation)


@case
def shown_run(test):
    for seed in range(1, 9):
        data = session(test, "stack", "--oracle", "results,exceptions", "--keep-going", "--seed", seed, "--tests", "60",
                       "--shrink-time", "3", code=1)
        for violation in data["violations"]:
            if "results" in violation:
                check_shown_run(test, violation)
        throwing = [sorted({m for t in v["methods"] for m in t}) for v in data["violations"] if v["kind"] == "exception"]
        expect(not any(set(a) < set(b) for a in throwing for b in throwing), f"seed {seed}: the same exception twice", throwing)


@each({f"unit_test.{driver}": driver for driver in ("stale_map", "account", "store", "stream", "ticket")})
def unit_test(test, driver):
    """The written test fails while the bug is there, however it is compiled, and passes after the fix."""
    data = session(test, driver, "--seed", "1", "--tests", "2000", "--test-header", f"{driver}.h", code=1)
    for flags, code in ((["-O0"], 1), (["-O1"], 1), (["-O2"], 1), (["-O1", "-DFIXED"], 0)):
        test.snag("c++", "-std=c++20", "-g", "-Wall", "-Wextra", "-Werror", "-I", SOURCES, *flags,
                  data["violations"][0]["gtest_file"], "-lgtest_main", "-lgtest", "-o", "unit")
        run("./unit", code=code)


def workers(pid):
    """The child processes that run tests."""
    listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if "--worker" in line]


@case
def killed_workers(test):
    """Killed workers are replaced, and an interrupt ends the session in order."""
    process = test.start(test.snag_path, "gen-driver", "--json", "--quiet", "--seed", "1", driver_path(test, "queue"))
    killed = 0
    while killed < 3:
        for worker in workers(process.pid):
            with contextlib.suppress(ProcessLookupError):  # it may have ended since it was listed
                os.kill(worker, signal.SIGKILL)
                killed += 1
    process.send_signal(signal.SIGINT)
    done = test.finish(process)
    data = done.json()
    expect(data["violations"] == [], "a killed worker is reported as a violation", done)
    expect(data["interrupted"] and done.code in (130, 1), "wrong end", done)
    expect(data["workers"] > 1, "killed workers are not replaced", done)


def contents(folder):
    return {file.name: file.read_bytes() for file in pathlib.Path(folder).iterdir()}


FILE_OPTIONS = ("gen-driver", "--json", "--quiet", "--tests", "2000", "--shrink-time", "1")


@case(name="files.concurrent_sessions")
def concurrent_sessions(test):
    """No session replaces a file of another one."""
    stale_map = driver_path(test, "stale_map")
    first = test.json(*FILE_OPTIONS, "--seed", "1", stale_map, code=1)["violations"][0]
    written = contents("snag-gen")
    expect(len(written) == 3, "not three files", list(written))
    sessions = [test.start(test.snag_path, *FILE_OPTIONS, "--seed", seed, stale_map) for seed in (2, 3, 4)]
    names = [first["test_file"]]
    for process in sessions:
        violation = test.finish(process).json()["violations"][0]
        names.append(violation["test_file"])
        test.snag("replay", violation["trace"], code=1)
    now = contents("snag-gen")
    expect(len(set(names)) == 4 and len(now) == 12, "wrong files", names, list(now))
    expect(all(now[name] == text for name, text in written.items()), "a file was replaced")
    expect(all(now.values()), "a file is empty", {name: len(text) for name, text in now.items()})
    test.snag("replay", first["trace"], code=1)


@case(name="files.bad_folder")
def bad_folder(test):
    pathlib.Path("file").write_text("no folder")
    for out in ("file", "file/below", "/proc/xx"):
        done = test.snag("gen-driver", "--quiet", "--seed", "1", "--tests", "100", "--out", out, driver_path(test, "stack"),
                         code=2)
        expect(done.out == "" and f"'{out}'" in done.err, "wrong message", done)
    test.snag("gen-driver", "--quiet", "--seed", "1", "--tests", "20", "--out", "nothing", driver_path(test, "queue"))
    expect(not pathlib.Path("nothing").exists(), "an empty folder is left")


@case(name="files.folder_lost")
def folder_lost(test):
    """What cannot be written is reported all the same."""
    done = test.snag("gen-driver", "--quiet", "--seed", "1", "--tests", "100", "--out", "gone", driver_path(test, "vandal"),
                     code=1, env={"VANDAL": test.folder / "gone"})
    for words in ("is not thread-safe: data race", "object.next();", "cannot write 'gone/Vandal-data-race-1.test'",
                  "1 violation in"):
        expect(words in done.out, f"'{words}' is missing", done)
    expect("snag replay" not in done.out and "as a unit test" not in done.out, "files are named that do not exist", done)
    expect(pathlib.Path("gone").read_bytes() == b"", "the file that the class made has changed")


ENDLESS = ("gen-driver", "--json", "--quiet", "--seed", "1", "--schedules-per-test", "1000000")


@case(name="cut.by_time")
def cut_by_time(test):
    """--time also ends a batch that would take hours."""
    data = test.json(*ENDLESS, "--time", "2", driver_path(test, "queue"))
    expect(data["tests"] > 0 and data["runs"] > 0 and data["violations"] == [], "wrong result", data)
    expect(data["unjudged"] == 0 and data["unconfirmed"] == 0, "the cut test is judged", data)


@each({"cut.by_sigint": signal.SIGINT, "cut.by_sigterm": signal.SIGTERM})
def cut_by_signal(test, number):
    process = test.start(test.snag_path, *ENDLESS, driver_path(test, "queue"))
    while not workers(process.pid):
        expect(process.poll() is None, "the session ended before the signal")
    process.send_signal(number)
    done = test.finish(process)
    data = done.json()
    expect(data["interrupted"] and data["violations"] == [], "wrong result", done)
    expect_equal(done.code, 128 + number, "wrong exit code", done)


UNMADE = {"throws": "throws std::runtime_error (no licence)", "throws a number": "throws int", "crashes": "fails: ",
          "exits": "ends the process", "hangs": "does not come back"}


@each({f"unmade.{what.replace(' ', '_')}": what for what in UNMADE})
def unmade(test, what):
    """If no constructor works, Snag says why at once; one that works is enough."""
    command = ("gen-driver", "--quiet", "--seed", "1", "--tests", "50", driver_path(test, "unmade"))
    done = test.snag(*command, code=3, env={"UNMADE": what, "UNMADE_INT": what})
    for name in ("Unmade()", "Unmade(int)"):
        expect(f"{name} {UNMADE[what]}" in done.err and "--factory" in done.err, f"no reason for {name}", done)
    expect_equal(done.out, "no test of Unmade was run\n", "wrong output")
    test.snag(*command, env={"UNMADE": what}, says=["no violation in 50 tests", f"left out: Unmade(): {UNMADE[what]}"])
    test.snag(*command, env={"UNMADE_INT": what})


@case(name="unmade.destructor")
def unmade_destructor(test):
    command = ("gen-driver", "--quiet", "--seed", "1", "--tests", "50", driver_path(test, "unmade"))
    test.snag(*command, code=3, env={"UNMADE_END": "crashes"}, says="Unmade() makes an object whose destructor fails: ")
    test.snag(*command)


@case
def shown_at_once(test):
    """With --keep-going, each violation is shown when it is found, not at the end."""
    process = test.start(test.snag_path, "gen-driver", "--quiet", "--keep-going", "--seed", "1", "--tests", "1000000000",
                         "--shrink-time", "1", driver_path(test, "stack"))
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith("to see it again"):
            break
    expect(lines[0].startswith("violation 1: Stack is not thread-safe"), "wrong first line", lines)
    expect(process.poll() is None, "the session has ended already")
    process.send_signal(signal.SIGINT)
    done = test.finish(process)
    expect(done.code == 1 and ", interrupted" in done.out, "wrong end", done)
    expect("violation 1: " not in done.out, "the violation is shown again", done)
    test.snag("replay", lines[-1].split()[-1], code=1)
