#!/usr/bin/env python3
"""The command line of `snag active`: exit codes, the file of verdicts, kinds, GoogleTest's checks, and
reports of other tools that cannot be used, or that are of what cannot happen.

Usage: cli.py <snag> <folder with impossible/ and programs/>
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
GOOGLE_TEST = r"""
#include <gtest/gtest.h>
#include <atomic>
#include <thread>
std::atomic<int> noise = 0, state = 0;
void Work() {
  for (int i = 0; i < 10; ++i) noise.fetch_add(1);
}
TEST(Machine, IsNeverHalfDone) {
  std::thread machine([] {
    Work();
    state = 1;
    state = 2;
    Work();
  });
  Work();
  EXPECT_NE(state.load(), 1);
  machine.join();
}
"""


def run(*command, cwd, stdin=None):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=200, cwd=cwd,
                          check=False, input=stdin)


def expect(condition, what, done=None):
    if not condition:
        sys.exit(f"{what}\n{done.stdout + done.stderr if done else ''}")


def expect_exit(done, code, text=""):
    expect(done.returncode == code and text in done.stdout + done.stderr,
           f"exit code {done.returncode}, expected {code} and '{text}'", done)


def check_bad_lines(snag, folder, program):
    active = (snag, "active", "--quiet")
    expect_exit(run(*active, cwd=folder), 2)
    expect_exit(run(*active, "--", folder / "missing", cwd=folder), 3)
    expect_exit(run(*active, "--", "/bin/true", cwd=folder), 3)
    expect_exit(run(*active, "--cycle", "9", "--", program, cwd=folder), 2, "--cycle")
    expect_exit(run(*active, "--strategy", "random", "--", program, cwd=folder), 2, "active, assert")
    expect_exit(run(*active, "--runs", "0", "--", program, cwd=folder), 2, "--runs")
    (folder / "other.txt").write_text("something else")
    expect_exit(run(*active, "--file", "other.txt", "--", program, cwd=folder), 2, "--file")
    expect((folder / "other.txt").read_text() == "something else", "a file of something else was overwritten")


def check_places_to_write(snag, folder, program):
    """Where nothing can be written is known before the first run."""
    active = (snag, "active", "--quiet")
    expect_exit(run(*active, "--file", "/dev/null/x", "--", program, cwd=folder), 2, "--file")
    expect_exit(run(*active, "--file", "missing/x", "--", program, cwd=folder), 2, "--file")
    expect_exit(run(*active, "--file", "/dev/null", "--", program, cwd=folder), 2, "no regular file")
    os.mkfifo(folder / "fifo")
    expect_exit(run(*active, "--file", "fifo", "--", program, cwd=folder), 2, "no regular file")
    expect_exit(run(*active, "--out", "/dev/null/x", "--", program, cwd=folder), 2, "--out")
    expect_exit(run(*active, "--out", "fifo", "--", program, cwd=folder), 2, "--out")
    expect_exit(run(*active, "--stdin", "-", "--", program, cwd=folder), 2, "--stdin")


def check_lost_files(snag, folder):
    """Verdicts and traces that cannot be written later are told, and so is what was found."""
    options = ("--quiet", "--race", "--seed", "1", "--shrink-time", "0", "--file", "lost/verdicts", "--out", "lost/traces")
    lost = folder / "lost"
    lost.mkdir()
    # The program itself takes the folder away: from then on nothing can be written, as on a disk that is full.
    done = run(snag, "active", *options, "--", "./published", lost, cwd=folder)
    expect_exit(done, 1, "confirmed race")
    expect("warning: the verdicts are not kept" in done.stderr, "nobody says that the verdicts are lost", done)
    expect("lost/traces" in done.stderr and "snag replay lost" not in done.stdout, "nobody says that the trace is lost",
           done)


def check_without_debug_info(snag, folder, source):
    """A program that nothing can be told about is no clean one."""
    expect_exit(run(snag, "c++", "-std=c++20", "-O1", "-g0", "-pthread", source, "-o", "blind", cwd=folder), 0)
    active = (snag, "active", "--quiet", "--seed", "1", "--file", "of blind")
    expect_exit(run(*active, "--", "./blind", cwd=folder), 3, "no debug information")
    report = tsan_race("/src/published.cc:10", "/src/published.cc:15")
    done = run(*active, "--report", "-", "--", "./blind", cwd=folder, stdin=report)
    expect_exit(done, 3, "not tried, entry 1 (line 1) of the report: race: the program has no debug information")
    expect("same source" not in done.stderr, "the program is called another one", done)


def check_suppressed(snag, folder):
    """What is suppressed is not tried."""
    for number, pattern in enumerate(("race:stats", "race:Consume", "race_top:Produce")):
        (folder / "known.txt").write_text(pattern + "\n")
        done = run(snag, "active", "--quiet", "--json", "--race", "--seed", "1", "--shrink-time", "0", "--suppressions",
                   "known.txt", "--file", f"suppressed-{number}", "--", "./published", cwd=folder)
        expect_exit(done, 0)
        ends = {c["verdict"]: c for c in json.loads(done.stdout)["candidates"] if "stats" in c["title"]}
        expect(set(ends) == {"suppressed"} and ends["suppressed"]["runs"] == 0, f"{pattern} is tried", done)
        expect(ends["suppressed"]["suppressed_by"] == pattern, f"not by {pattern}", done)


def check_text(snag, folder, program):
    """What was not reproduced is told in numbers, and with --all one by one."""
    active = (snag, "active", "--quiet", "--race", "--runs", "3", "--seed", "1")
    few = run(*active, "--file", "few", "--", program, cwd=folder)
    expect_exit(few, 0, "not reproduced (--all shows them): ")
    expect("closest: " not in few.stdout, "too many lines", few)
    expect_exit(run(*active, "--all", "--file", "all", "--", program, cwd=folder), 0, "closest: ")
    (folder / "alone.cc").write_text("int x;\nint main() { return x; }\n")
    expect_exit(run(snag, "c++", "-g", "alone.cc", "-o", "alone", cwd=folder), 0)
    expect_exit(run(snag, "active", "--quiet", "--file", "of alone", "--", "./alone", cwd=folder), 0,
                "nothing was predicted from 3 runs; only one thread ran")
    # Whether the runs to watch come before the end of the time is up to the machine.
    done = run(*active, "--time", "0.000001", "--file", "no time", "--", program, cwd=folder)
    expect(done.returncode == 3 and "--time" in done.stderr or done.returncode == 0 and "not tried" in done.stdout,
           "nothing says that the time was over", done)


def check_time(snag, folder, program):
    """The time ends also the runs for one candidate, and the next call goes on with it."""
    command = (snag, "active", "--json", "--quiet", "--race", "--watch", "1", "--runs", "1000000000", "--time", "3", "--seed",
               "1", "--file", "timed", "--", program)
    first, second = (json.loads(run(*command, cwd=folder).stdout)["candidates"][0] for _ in range(2))
    expect(first["verdict"] == "not reproduced" and second["earlier_runs"] == first["runs"] > 0 and
           second["runs"] > first["runs"], f"it did not go on where the time was over: {first} {second}")


def check_going_on(snag, folder, program):
    """What was not reproduced is tried further by the next call, and kinds that were not asked for are not."""
    command = (snag, "active", "--json", "--quiet", "--race", "--watch", "1", "--runs", "5", "--seed", "1", "--",
               program)
    first = json.loads(run(*command, cwd=folder).stdout)
    second = json.loads(run(*command, cwd=folder).stdout)
    expect(first["candidates"] and {c["kind"] for c in first["candidates"]} == {"race"}, "no races were predicted")
    before = {c["title"]: c for c in first["candidates"]}
    for candidate in second["candidates"]:
        known = before[candidate["title"]]
        expect(known["runs"] == 5 and candidate["earlier_runs"] == 5 and candidate["runs"] == 10,
               f"the second call did not go on: {known} {candidate}")
        expect(candidate["verdict"] == "not reproduced" and candidate["closest"], f"no verdict: {candidate}")


def tsan_race(first, second):
    """A report of ThreadSanitizer: two lines of one file, or of others."""
    return f"""WARNING: ThreadSanitizer: data race (pid=1)
  Write of size 4 at 0x55 by thread T2:
    #0 operator() {first} (a+0x1)

  Previous read of size 4 at 0x55 by thread T1:
    #0 operator() {second} (a+0x2)

SUMMARY: ThreadSanitizer: data race {first} in operator()
"""


def check_bad_reports(snag, folder, program):
    def active(text, *after):
        (folder / "report.txt").write_bytes(text if isinstance(text, bytes) else text.encode())
        return run(snag, "active", "--quiet", "--file", "none", "--report", "report.txt", *after, cwd=folder)

    there = ("--", program)
    expect_exit(active("", *there), 2, "is empty")
    expect_exit(active("all is well\n", *there), 2, "no report of ThreadSanitizer, Helgrind or DRD")
    expect_exit(active(bytes(range(256)) * 5000, *there), 2, "no report of ThreadSanitizer, Helgrind or DRD")
    expect_exit(active("==7== Helgrind, a thread error detector\n==7== ERROR SUMMARY: 0 errors\n", *there), 3,
                "nothing to go after")
    report = tsan_race("/src/other.cc:16", "/src/other.cc:22")
    expect_exit(active(report), 2, "1 race and 0 lock orders; name the program")
    expect_exit(active(report, "--assert", *there), 2, "leave out")
    expect_exit(active(report, "--deadlock", *there), 3, "leave out --deadlock")
    expect_exit(active(report, *there), 3, "no code of other.cc is in this program")
    expect_exit(active(report, *there), 3, "compiled by snag c++ from the same source")
    expect_exit(active(report[:60], *there), 3, "names no line")
    expect_exit(active(tsan_race("/src/flag_race.cc:900", "/src/flag_race.cc:901"), *there), 3, "no such line")
    # Also where something else fails: that is no word on the report.
    (folder / "failing.cc").write_text("#include <thread>\nint main() {\n  std::thread([] {}).join();\n  return 7;\n}\n")
    expect_exit(run(snag, "c++", "-g", "failing.cc", "-o", "failing", cwd=folder), 0)
    expect_exit(active(report, "--", "./failing"), 1, "compiled by snag c++ from the same source")
    missing = run(snag, "active", "--report", "missing.txt", *there, cwd=folder)
    expect_exit(missing, 2, "missing.txt")
    expect_exit(run(snag, "active", "--report", folder, *there, cwd=folder), 2, "cannot read")


def check_impossible_report(snag, folder, source, program):
    """What is reported and cannot happen is not confirmed, and nobody says that the other tool is wrong."""
    lines = source.read_text().splitlines()
    write, read = (next(i for i, line in enumerate(lines, 1) if text in line) for text in ("data = 42;", "CHECK(data"))
    report = tsan_race(f"/elsewhere/flag_race.cc:{write}:5", f"flag_race.cc:{read}")
    options = ("--quiet", "--runs", "5", "--seed", "1", "--file", "impossible", "--report", "-", "--", program)
    done = run(snag, "active", *options, cwd=folder, stdin=report + report)
    expect_exit(done, 0, "not reproduced in 5 runs, entry 1 (line 1) of the report: race: one thread ")
    expect("closest: " in done.stdout and "2 races and 0 lock orders, 1 different: 0 confirmed" in done.stdout,
           "no verdict", done)
    expect("false" not in done.stdout, "not reproduced is not false", done)


def check_variables(snag, folder):
    """What is reported of one variable is not confirmed by a race on another one in the same lines."""
    source = HERE / "reported" / "published.cc"
    expect_exit(run(snag, "c++", "-std=c++20", "-O1", "-g", "-pthread", source, "-o", "published", cwd=folder), 0)
    lines = source.read_text().splitlines()
    write, read = (next(i for i, line in enumerate(lines, 1) if text in line) for text in ("// written", "// read"))
    helgrind, drd = "", ""
    for number, variable in enumerate(("stats", "published")):
        helgrind += (f"==1== Possible data race during read of size 4 at 0x10{number} by thread #3\n"
                     f"==1==    at 0x{number}: Consume() (published.cc:{read})\n"
                     "==1== This conflicts with a previous write of size 4 by thread #2\n"
                     f"==1==    at 0x1{number}: Produce() (published.cc:{write})\n"
                     f"==1==  Address 0x10{number} is 0 bytes inside data symbol \"{variable}\"\n==1==\n")
        drd += (f"==1== Conflicting load by thread 3 at 0x0010c0{number} size 4\n"
                f"==1==    at 0x{number}: Consume() (published.cc:{read})\n"
                "==1== Allocation context: BSS section of /src/published\n==1==\n")
    active = (snag, "active", "--quiet", "--runs", "10", "--seed", "1", "--shrink-time", "0", "--report", "-")
    done = run(*active, "--json", "--file", "named", "--", "./published", cwd=folder, stdin=helgrind)
    expect_exit(done, 1)
    result = json.loads(done.stdout)
    ends = [entry["verdict"] for entry in result["report"]["entries"]]
    expect(ends == ["confirmed", "not reproduced"], f"the verdicts are {ends}", done)
    expect("stats" in result["candidates"][0]["title"] and "published" in result["candidates"][1]["title"],
           "the variables are mixed up", done)
    done = run(*active, "--file", "unnamed", "--", "./published", cwd=folder, stdin=drd)
    expect_exit(done, 1, "the report does not say which variable it is: published not reproduced, stats confirmed")
    expect("2 different: 0 confirmed, 0 not reproduced, 2 unclear" in done.stdout, "an entry is not unclear", done)


def check_freed(snag, folder):
    """To give a block back is one side of a race, wherever in the block the other one is."""
    source = HERE / "reported" / "freed.cc"
    expect_exit(run(snag, "c++", "-std=c++20", "-O1", "-g", "-pthread", source, "-o", "freed", cwd=folder), 0)
    done = run(snag, "active", "--race", "--quiet", "--json", "--shrink-time", "0", "--seed", "1", "--file", "of freed",
               "--", "./freed", cwd=folder)
    expect_exit(done, 1)
    confirmed = [c for c in json.loads(done.stdout)["candidates"] if c["verdict"] == "confirmed"]
    expect(len(confirmed) == 1 and confirmed[0]["harmful"] and "gives memory back" in confirmed[0]["title"],
           "not confirmed", done)
    expect_exit(run(snag, "replay", confirmed[0]["trace"], cwd=folder), 1)


def check_google_test(snag, folder):
    (folder / "test.cc").write_text(GOOGLE_TEST)
    done = run(snag, "c++", "-std=c++20", "-O1", "-g", "-pthread", "test.cc", "-o", "test", "-lgtest", "-lgtest_main",
               cwd=folder)
    expect_exit(done, 0)
    done = run(snag, "active", "--assert", "--quiet", "--json", "--shrink-time", "0", "--seed", "1", "--file", "gtest",
               "--", "./test", cwd=folder)
    expect_exit(done, 1)
    confirmed = [c for c in json.loads(done.stdout)["candidates"] if c["verdict"] == "confirmed"]
    expect(len(confirmed) == 1 and "GoogleTest at test.cc:17" in confirmed[0]["title"], "not the check", done)


def main():
    snag, study = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = folder / "flag_race"
        expect_exit(run(snag, "c++", "-std=c++20", "-O1", "-g", "-pthread", study / "impossible" / "flag_race.cc", "-o",
                        program, cwd=folder), 0)
        check_bad_lines(snag, folder, program)
        check_going_on(snag, folder, program)
        check_bad_reports(snag, folder, program)
        check_impossible_report(snag, folder, study / "impossible" / "flag_race.cc", program)
        check_variables(snag, folder)
        check_places_to_write(snag, folder, program)
        check_lost_files(snag, folder)
        check_without_debug_info(snag, folder, HERE / "reported" / "published.cc")
        check_suppressed(snag, folder)
        check_text(snag, folder, program)
        check_time(snag, folder, program)
        check_freed(snag, folder)
        check_google_test(snag, folder)


if __name__ == "__main__":
    main()
