"""The tests of tests/schedule/styles, ordered by sleeps, by Snag's events and by hand: how long they take, and how often
they fail on a machine that is busy."""
import collections
import os
import subprocess
import sys
import time

from measure.common import median, number, progress, table

STYLES = {"sleeps": "sleeps", "events": "Snag's events", "by_hand": "by hand"}
FASTER_THAN_SLEEPS, SLOWER_THAN_BY_HAND = 20, 1.5  # how many times, at least and at most
LOADED_RUNS = {"events": 1000, "by_hand": 1000, "sleeps": 50}  # a run by sleeps takes seconds
PATIENCE = 60  # seconds for a run of all tests, before the test at which it stands counts as hung
# A busy process ends by itself: after an hour, or when the process that started it is gone.
BURN = """
import os, time
end, parent = time.monotonic() + 3600, os.getppid()
while time.monotonic() < end and os.getppid() == parent:
    sum(range(100000))
"""


def measure(bench):
    bench.make("schedule_styles")
    times, problems = speed(bench, 5 if bench.quick else 11)
    failures, more = under_load(bench)
    bench.save("styles", {"unit": "ns for each test, one for each round", "times": times, "under load": failures})
    return problems + more


def program(bench, style):
    return str(bench.build / "tests" / "schedule" / "styles" / f"schedule_styles_{style}")


def speed(bench, rounds):
    """Each style once in each round, so that what else the machine does hits them all alike."""
    times = {style: collections.defaultdict(list) for style in STYLES}
    problems = []
    for turn in range(rounds):
        for style in STYLES:
            progress(f"round {turn + 1} of {rounds}: {STYLES[style]}")
            found, failed = run(program(bench, style))
            problems += [f"{test}, {STYLES[style]}: {how}" for test, how in failed.items()]
            for test, nanoseconds in found.items():
                times[style][test].append(nanoseconds)
    progress("")

    suites = sorted({test.partition(".")[0] for test in times["events"]})
    rows = []
    for suite in [*suites, ""]:
        totals = {}
        for style in STYLES:
            samples = [found for test, found in times[style].items() if suite in ("", test.partition(".")[0])]
            totals[style] = median([sum(turn) for turn in zip(*samples)]) / 1e6
        tests = sum(suite in ("", test.partition(".")[0]) for test in times["events"])
        faster, slower = totals["sleeps"] / totals["events"], totals["events"] / totals["by_hand"]
        rows.append([suite or "all", tests, *[number(totals[style], 2) for style in STYLES],
                     f"{number(faster)}x", f"{slower:.2f}x"])
    table(["ms for all tests of", "tests", *STYLES.values(), "sleeps / events", "events / by hand"], rows)
    print(f"medians of {rounds} rounds; wanted at least {FASTER_THAN_SLEEPS}x and at most {SLOWER_THAN_BY_HAND}x")
    if faster < FASTER_THAN_SLEEPS:
        problems.append(f"Snag's events are {faster:.1f} times as fast as sleeps, target {FASTER_THAN_SLEEPS}")
    if slower > SLOWER_THAN_BY_HAND:
        problems.append(f"Snag's events take {slower:.2f} times as long as by hand, target {SLOWER_THAN_BY_HAND}")
    return times, problems


def under_load(bench):
    """Runs all tests again and again, with twice as many busy processes as there are cores."""
    rows, result = [], {}
    for style, runs in LOADED_RUNS.items():
        runs = max(5, runs // 20) if bench.quick else runs
        failures = collections.Counter()
        started, bad_runs, tests = time.monotonic(), 0, set()
        burners = [subprocess.Popen([sys.executable, "-c", BURN])
                   for _ in range(2 * (os.cpu_count() or 1))]
        try:
            for turn in range(runs):
                progress(f"under load, {STYLES[style]}: run {turn + 1} of {runs}, {sum(failures.values())} failures")
                found, failed = run(program(bench, style))
                tests |= set(found) | set(failed)
                failures.update(failed.keys())
                bad_runs += bool(failed)
        finally:
            for burner in burners:
                burner.kill()
                burner.wait()
        seconds = time.monotonic() - started
        rows.append([STYLES[style], runs, bad_runs, number(runs * len(tests)), sum(failures.values()),
                     number(1e3 * seconds / runs, 0)])
        result[style] = {"runs": runs, "runs with failures": bad_runs, "failures": failures}
    progress("")
    print()
    table([f"under load ({2 * (os.cpu_count() or 1)} busy processes)", "runs", "with failures", "tests run",
           "tests failed", "ms a run"], rows)
    for style, found in result.items():
        for test, count in found["failures"].most_common(10):
            print(f"  {STYLES[style]}: {test} failed {count} times")
    return result, [f"{STYLES[style]}: {result[style]['runs with failures']} of {result[style]['runs']} runs failed under load"
                    for style in ("events", "by_hand") if result[style]["runs with failures"]]


def run(command):
    """Runs all tests of a program: the nanoseconds of each, and what became of those that did not pass. A test that
    takes the program with it counts as failed, and those that are left are run in another process."""
    times, failed = {}, {}
    while True:
        skipped = ":".join({**times, **failed})
        process = subprocess.Popen([command, "--times", f"--gtest_filter=*-{skipped}"], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True)
        try:
            output, end = process.communicate(timeout=PATIENCE)[0], f"exit {process.returncode}"
        except subprocess.TimeoutExpired:
            process.kill()
            output, end = process.communicate()[0], "hung"
        at = None
        for words in (line.split() for line in output.splitlines()):
            if len(words) == 2 and words[0] == "begin":
                at = words[1]
            elif len(words) == 4 and words[0] == "end":
                at = None
                times[words[1]] = int(words[2])
                if words[3] != "passed":
                    failed[words[1]] = "failed"
        if at is None:
            if not times:
                raise SystemExit(f"bench: {command} ran no tests: {end}")
            return times, failed
        failed[at] = end
