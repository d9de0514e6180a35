#!/usr/bin/env python3
"""Sessions of snag gen on the drivers beside this file: run_session.py <snag> <built drivers> <sources> <part>."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

SNAG, DRIVERS, SOURCES = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:4])
PATIENCE = 300  # seconds, on a machine under load
checks = 0


def check(condition, what):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"FAIL {what}")


def run(*arguments, code=0, **environment):
    """Standard output and error of snag, which must end with that code."""
    done = subprocess.run([SNAG, *arguments], capture_output=True, text=True, timeout=PATIENCE,
                          env=os.environ | environment)
    check(done.returncode == code,
          f"exit {done.returncode} instead of {code}: {arguments}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def session(driver, *options, code=0):
    """The JSON report of a session."""
    out, _ = run("gen-driver", "--json", "--quiet", *options, f"{DRIVERS}/{driver}", code=code)
    data = json.loads(out)
    check(data["exit"] == code, data["exit"])
    for violation in data["violations"]:
        confirm(violation)
    return data


def confirm(violation):
    """What is reported has a trace that was replayed, and no linearization gives the same."""
    check(violation["confirmed"], f"not confirmed: {violation}")
    orders = violation["linearizations"]
    check(len(orders) > 0, "no linearization was tried")
    if "results" in violation:
        prefix = len(violation["test"]["prefix"])
        compared = [text.split(" (")[0] for text in violation["results"][prefix:]]
        for order in orders:
            if order["finished"]:
                other = [text.split(" (")[0] for text in order["results"][prefix:]]
                check(compared != other, f"the order {order['order']} explains it: {violation}")


BUGS = {
    # driver: options, kinds that are right
    "stack": ([], {"data race"}),
    "stale_map": ([], {"wrong result"}),
    "account": ([], {"deadlock"}),
    "store": ([], {"wrong result"}),
    "stream": ([], {"exception"}),
    "channel": ([], {"deadlock"}),
}


def test_finds():
    for driver, (options, kinds) in BUGS.items():
        for seed in ("1", "2", "3"):
            data = session(driver, "--seed", seed, "--tests", "2000", *options, code=1)
            check(len(data["violations"]) == 1, data["violations"])
            violation = data["violations"][0]
            check(violation["kind"] in kinds, f"{driver}: {violation['kind']}")
            check(violation["calls"] <= 5, f"{driver}: not small: {violation['test']}")
    for policy in ("random", "naive"):
        session("stale_map", "--policy", policy, "--tests", "5000", "--seed", "4", code=1)
    data = session("stale_map", "--threads", "3", "--seed", "5", "--tests", "2000", code=1)
    check(len(data["violations"][0]["test"]["threads"]) == 2, "two threads are enough for that")
    as_found = session("stale_map", "--shrink-time", "0", "--seed", "1", "--tests", "2000", code=1)["violations"][0]
    check(as_found["calls"] == as_found["calls_at_first"] > 2, f"made smaller all the same: {as_found}")
    # Not only the race: what it leads to.
    data = session("stack", "--oracle", "-races,-heap", "--seed", "1", "--tests", "3000", code=1)
    check(data["violations"][0]["kind"] in ("wrong result", "exception", "crash"), data)
    data = session("stack", "--keep-going", "--seed", "1", "--tests", "300", code=1)
    groups = [(v["kind"], tuple(sorted({m for t in v["methods"] for m in t}))) for v in data["violations"]]
    check(len(groups) > 1 and len(groups) == len(set(groups)), groups)


def test_clean():
    for driver in ("queue", "stale_map_fixed", "account_fixed", "stream_fixed", "channel_fixed"):
        for options in (["--tests", "2000", "--schedules", "system"], ["--tests", "300", "--threads", "3"],
                        ["--tests", "600"]):
            if driver == "channel_fixed" and "system" in options:
                continue  # each test in which all wait takes the whole --hang-timeout there
            data = session(driver, "--seed", "7", *options)
            check(data["tests"] == int(options[1]), data["tests"])
            check(data["unconfirmed"] == 0, f"{driver} {options}: suspicions")
        coverage = data["coverage"]
        check(coverage["covered"] == coverage["pairs"], f"{driver}: not all pairs ran concurrently: {coverage}")


def test_difficult():
    data = session("difficult", "--seed", "1", "--tests", "300", "--hang-timeout", "1")
    left_out = {entry["method"] for entry in data["left_out"]}
    check(left_out == {"leave()", "crash()", "spin_for_ever()"}, left_out)
    check(data["not_compared"] in ([], ["serial_number()"]), data["not_compared"])
    check(data["tests"] == 300, data["tests"])
    session("rendezvous", "--seed", "3", "--tests", "150", "--hang-timeout", "1")
    system = session("difficult", "--seed", "2", "--tests", "300", "--hang-timeout", "1", "--schedules", "system")
    check(system["tests"] == 300, system["tests"])


def test_report():
    base = ["--seed", "1", "--tests", "2000", "--quiet"]
    out, _ = run("gen-driver", *base, "--coverage", "--coverage-csv", "curve.csv", "--test-header", "stale_map.h",
                 f"{DRIVERS}/stale_map", code=1)
    for words in ("is not thread-safe: wrong result", "the smallest test", "auto object = StaleMap();",
                  "what happened:", "none explains it", "to see it again:", "pairs of methods ran concurrently"):
        check(words in out, f"{words} is missing:\n{out}")
    curve = pathlib.Path("curve.csv").read_text().splitlines()
    check(curve[0] == "seconds,tests,covered,tried,pairs" and len(curve) > 1, curve)
    trace = next(line.split()[-1] for line in out.splitlines() if line.startswith("to see it again"))
    replayed, _ = run("replay", trace, code=1)
    check("no order of these calls" in replayed, replayed)
    again = session("stale_map", "--seed", "1", "--tests", "2000", code=1)
    third = session("stale_map", "--seed", "1", "--tests", "2000", code=1)
    check(again["violations"][0]["test"] == third["violations"][0]["test"], "the same seed, another test")
    run("gen-driver", code=2)
    run("gen-driver", "--policy", "best", f"{DRIVERS}/queue", code=2)
    for oracle in ("nothing", "", "races,-races", "-exceptions,-crashes,-deadlocks,-heap,-races,-locks,-results"):
        run("gen-driver", "--oracle", oracle, f"{DRIVERS}/queue", code=2)
    run("gen-driver", "--shrink-time", "-1", f"{DRIVERS}/queue", code=2)
    pathlib.Path("no_driver.cc").write_text("int main() {}\n")
    run("c++", "no_driver.cc", "-o", "no_driver")
    _, err = run("gen-driver", "./no_driver", code=3)
    check("is it a driver of snag gen?" in err, err)


def check_shown_run(violation):
    """The results that are told are those of the trace, whose exception is the one in the headline."""
    replayed, _ = run("replay", violation["trace"], code=1)
    message = next(line for line in replayed.splitlines() if " gives: " in line)
    calls = [text for thread in violation["methods"] for text in thread]
    prefix = len(violation["test"]["prefix"])
    told = violation["results"][prefix:prefix + len(calls)]
    shown = message.split(" -> ")[1:]
    check(len(shown) == len(told) and all(text.startswith(result) for text, result in zip(shown, told)),
          f"told: {told}, but the trace has: {message}")
    if violation["kind"] == "exception":
        check(any(result.startswith(violation["message"]) for result in told), f"{violation}")


def test_shown_run():
    for seed in range(1, 9):
        data = session("stack", "--oracle", "results,exceptions", "--keep-going", "--seed", str(seed), "--tests", "60",
                       "--shrink-time", "3", code=1)
        for violation in data["violations"]:
            if "results" in violation:
                check_shown_run(violation)
        throwing = [sorted({m for t in v["methods"] for m in t}) for v in data["violations"] if v["kind"] == "exception"]
        check(not any(set(a) < set(b) for a in throwing for b in throwing), f"the same twice: {throwing}")


def test_unit_tests():
    """The tests that are written fail as long as the bug is there, however they are compiled."""
    for driver in ("stale_map", "account", "store", "stream", "ticket"):
        data = session(driver, "--seed", "1", "--tests", "2000", "--test-header", f"{driver}.h", code=1)
        for flags, code in ((["-O0"], 1), (["-O1"], 1), (["-O2"], 1), (["-O1", "-DFIXED"], 0)):
            run("c++", "-std=c++20", "-g", "-Wall", "-Wextra", "-Werror", "-I", SOURCES, *flags,
                data["violations"][0]["gtest_file"], "-lgtest_main", "-lgtest", "-o", "unit")
            done = subprocess.run(["./unit"], capture_output=True, text=True, timeout=PATIENCE)
            check(done.returncode == code, f"the unit test of {driver} with {flags}: {done.stdout}")


def workers(pid):
    """Its processes that run tests."""
    listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if "--worker" in line]


def test_killed():
    """Workers that somebody else kills are replaced; an interrupt ends the session in order."""
    process = subprocess.Popen([SNAG, "gen-driver", "--json", "--quiet", "--seed", "1", f"{DRIVERS}/queue"],
                               stdout=subprocess.PIPE, text=True)
    killed = 0
    while killed < 3:
        for worker in workers(process.pid):
            subprocess.run(["kill", "-KILL", str(worker)])
            killed += 1
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE)
    data = json.loads(out)
    check(data["violations"] == [], data["violations"])
    check(data["interrupted"] and process.returncode in (130, 1), process.returncode)
    check(data["workers"] > 1, data["workers"])


def contents(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


def test_files():
    """Nothing of an earlier session is replaced, and what cannot be written is told all the same."""
    base = ["gen-driver", "--json", "--quiet", "--tests", "2000", "--shrink-time", "1"]
    first = json.loads(run(*base, "--seed", "1", f"{DRIVERS}/stale_map", code=1)[0])["violations"][0]
    written = contents("snag-gen")
    check(len(written) == 3, written.keys())
    sessions = [subprocess.Popen([SNAG, *base, "--seed", str(seed), f"{DRIVERS}/stale_map"], stdout=subprocess.PIPE,
                                 text=True) for seed in (2, 3, 4)]
    names = [first["test_file"]]
    for process in sessions:
        out, _ = process.communicate(timeout=PATIENCE)
        violation = json.loads(out)["violations"][0]
        names.append(violation["test_file"])
        run("replay", violation["trace"], code=1)
    now = contents("snag-gen")
    check(len(set(names)) == 4 and len(now) == 12, (names, now.keys()))
    check(all(now[name] == text for name, text in written.items()), "something was replaced")
    check(all(now.values()), f"a file is empty: {now}")
    run("replay", first["trace"], code=1)

    pathlib.Path("file").write_text("no folder")
    for out in ("file", "file/below", "/proc/xx"):
        said, error = run("gen-driver", "--quiet", "--seed", "1", "--tests", "100", "--out", out, f"{DRIVERS}/stack", code=2)
        check(said == "" and f"'{out}'" in error, said + error)
    run("gen-driver", "--quiet", "--seed", "1", "--tests", "20", "--out", "nothing", f"{DRIVERS}/queue")
    check(not pathlib.Path("nothing").exists(), "an empty folder is left")

    text, _ = run("gen-driver", "--quiet", "--seed", "1", "--tests", "100", "--out", "gone", f"{DRIVERS}/vandal", code=1,
                  VANDAL=f"{os.getcwd()}/gone")
    for words in ("is not thread-safe: data race", "object.next();", "cannot write 'gone/Vandal-data-race-1.test'",
                  "1 violation in"):
        check(words in text, f"{words} is missing:\n{text}")
    check("snag replay" not in text and "as a unit test" not in text, text)
    check(pathlib.Path("gone").read_bytes() == b"", "the vandal's file is another one")


def test_cut():
    """The time is kept, and an interrupt ends the session, also in the middle of a batch that takes hours."""
    endless = ["gen-driver", "--json", "--quiet", "--seed", "1", "--schedules-per-test", "1000000"]
    data = json.loads(run(*endless, "--time", "2", f"{DRIVERS}/queue")[0])
    check(data["tests"] > 0 and data["runs"] > 0 and data["violations"] == [], data)
    check(data["unjudged"] == 0 and data["unconfirmed"] == 0, data)
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen([SNAG, *endless, f"{DRIVERS}/queue"], stdout=subprocess.PIPE, text=True)
        while not workers(process.pid):
            check(process.poll() is None, "it has ended before the interrupt")
        process.send_signal(number)
        out, _ = process.communicate(timeout=PATIENCE)
        data = json.loads(out)
        check(data["interrupted"] and data["violations"] == [], data)
        check(process.returncode == 128 + number, process.returncode)


def test_unmade():
    """Why no object can be made is said at once; a constructor that works is enough."""
    base = ["gen-driver", "--quiet", "--seed", "1", "--tests", "50", f"{DRIVERS}/unmade"]
    for what, words in (("throws", "throws std::runtime_error (no licence)"), ("throws a number", "throws int"),
                        ("crashes", "fails: "), ("exits", "ends the process"), ("hangs", "does not come back")):
        out, error = run(*base, code=3, UNMADE=what, UNMADE_INT=what)
        for name in ("Unmade()", "Unmade(int)"):
            check(f"{name} {words}" in error and "--factory" in error, f"{what}: {error}")
        check(out == "no test of Unmade was run\n", out)
        out, _ = run(*base, UNMADE=what)
        check("no violation in 50 tests" in out and f"left out: Unmade(): {words}" in out, out)
        run(*base, UNMADE_INT=what)
    _, error = run(*base, code=3, UNMADE_END="crashes")
    check("Unmade() makes an object whose destructor fails: " in error, error)
    run(*base)


def test_shown():
    """With --keep-going, each violation is shown when it is found, and not at the end."""
    process = subprocess.Popen([SNAG, "gen-driver", "--quiet", "--keep-going", "--seed", "1", "--tests", "1000000000",
                                "--shrink-time", "1", f"{DRIVERS}/stack"], stdout=subprocess.PIPE, text=True)
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith("to see it again"):
            break
    check(lines[0].startswith("violation 1: Stack is not thread-safe"), lines)
    check(process.poll() is None, "it has ended already")
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=PATIENCE)
    check(process.returncode == 1 and ", interrupted" in rest, f"{process.returncode} {rest}")
    check("violation 1: " not in rest, rest)
    run("replay", lines[-1].split()[-1], code=1)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    globals()[f"test_{sys.argv[4]}"]()
    print(f"{checks} checks")
