"""The command line of `snag active`: exit codes, the file of verdicts, kinds, GoogleTest's checks, and reports of other
tools that cannot be used or that name something impossible.
"""

import os
import pathlib

from snagtest import ROOT, case, expect, prepare

HERE = pathlib.Path(__file__).resolve().parent
FLAG_RACE = ROOT / "bench" / "papers" / "active" / "impossible" / "flag_race.cc"
PUBLISHED = HERE / "reported" / "published.cc"
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


@prepare
def compile_programs(test):
    test.compile(FLAG_RACE, "flag_race")
    test.compile(PUBLISHED, "published")


def active(test, *options, program=None, **expectations):
    """Runs `snag active --quiet` on a program, by default on flag_race."""
    return test.snag("active", "--quiet", *options, "--", program or test.shared / "flag_race", **expectations)


def confirmed_of(done):
    return [candidate for candidate in done.json()["candidates"] if candidate["verdict"] == "confirmed"]


def line_with(source, text):
    return next(number for number, line in enumerate(source.read_text().splitlines(), 1) if text in line)


@case
def bad_command_lines(test):
    test.snag("active", "--quiet", code=2)
    active(test, program=test.folder / "missing", code=3)
    active(test, program="/bin/true", code=3)
    active(test, "--cycle", "9", code=2, says="--cycle")
    active(test, "--strategy", "random", code=2, says='"active" or "assert"')
    active(test, "--runs", "0", code=2, says="--runs")
    pathlib.Path("other.txt").write_text("something else")
    active(test, "--file", "other.txt", code=2, says="--file")
    expect(pathlib.Path("other.txt").read_text() == "something else", "a file of another kind was overwritten")


@case
def unwritable_places(test):
    """Snag refuses before the first run if it cannot write."""
    os.mkfifo("fifo")
    active(test, "--file", "/dev/null/x", code=2, says="--file")
    active(test, "--file", "missing/x", code=2, says="--file")
    active(test, "--file", "/dev/null", code=2, says="not a regular file")
    active(test, "--file", "fifo", code=2, says="not a regular file")
    active(test, "--out", "/dev/null/x", code=2, says="--out")
    active(test, "--out", "fifo", code=2, says="--out")
    active(test, "--stdin", "-", code=2, says="--stdin")


@case
def lost_files(test):
    """If verdicts and traces cannot be written later, Snag says so, and still reports what it found."""
    lost = test.folder / "lost"
    lost.mkdir()
    # The program itself removes the folder. From then on nothing can be written, as on a full disk.
    done = test.snag("active", "--quiet", "--race", "--seed", "1", "--shrink-time", "0", "--file", "lost/verdicts", "--out",
                     "lost/traces", "--", test.shared / "published", lost, code=1, says="confirmed race")
    expect("warning: the verdicts are not kept" in done.err, "no warning that the verdicts are lost", done)
    expect("lost/traces" in done.err and "snag replay lost" not in done.out, "no warning that the trace is lost", done)


@case
def no_debug_information(test):
    """A program without debug information is not reported as clean."""
    program = test.compile(PUBLISHED, "blind", "-g0")
    active(test, "--seed", "1", program=program, code=3, says="no debug information")
    active(test, "--seed", "1", "--report", "-", program=program, code=3,
           stdin=tsan_race("/src/published.cc:10", "/src/published.cc:15"), silent_about="same source",
           says="not tried, entry 1 (line 1) of the report: race: the program has no debug information")


@case
def suppressed(test):
    """Suppressed candidates are not tried."""
    for number, pattern in enumerate(("race:stats", "race:Consume", "race_top:Produce")):
        pathlib.Path("known.txt").write_text(pattern + "\n")
        done = active(test, "--json", "--race", "--seed", "1", "--shrink-time", "0", "--suppressions", "known.txt", "--file",
                      f"suppressed-{number}", program=test.shared / "published")
        ends = {c["verdict"]: c for c in done.json()["candidates"] if "stats" in c["title"]}
        expect(set(ends) == {"suppressed"} and ends["suppressed"]["runs"] == 0, f"{pattern} is tried", done)
        expect(ends["suppressed"]["suppressed_by"] == pattern, f"not suppressed by {pattern}", done)


@case
def text(test):
    """Candidates that were not reproduced are counted, and listed with --all."""
    options = ("--race", "--runs", "3", "--seed", "1")
    active(test, *options, "--file", "few", says="not reproduced (--all shows them): ", silent_about="closest: ")
    active(test, *options, "--all", "--file", "all", says="closest: ")


@case
def one_thread(test):
    pathlib.Path("alone.cc").write_text("int x;\nint main() { return x; }\n")
    active(test, program=test.compile("alone.cc", "alone"), says="nothing was predicted from 3 runs; only one thread ran")


@case
def no_time(test):
    done = active(test, "--race", "--runs", "3", "--seed", "1", "--time", "0.000001", code=(0, 3))
    # The machine decides whether the watched runs end before the time does.
    expect("--time" in done.err if done.code == 3 else "not tried" in done.out, "nothing says that the time was over", done)


@case
def time_limit(test):
    """--time also ends the runs for one candidate, and the next call continues with it."""
    first, second = (active(test, "--json", "--race", "--watch", "1", "--runs", "1000000000", "--time", "3", "--seed", "1",
                            "--file", "timed", code=None).json()["candidates"][0] for _ in range(2))
    expect(first["verdict"] == "not reproduced" and second["earlier_runs"] == first["runs"] > 0 and
           second["runs"] > first["runs"], "the second call does not continue where the time was over", first, second)


@case
def second_call(test):
    """The next call continues with what was not reproduced. Kinds that were not asked for are not predicted."""
    first, second = (active(test, "--json", "--race", "--watch", "1", "--runs", "5", "--seed", "1").json()["candidates"]
                     for _ in range(2))
    expect(first and {c["kind"] for c in first} == {"race"}, "no races were predicted", first)
    before = {c["title"]: c for c in first}
    for candidate in second:
        known = before[candidate["title"]]
        expect(known["runs"] == 5 and candidate["earlier_runs"] == 5 and candidate["runs"] == 10,
               "the second call did not continue", known, candidate)
        expect(candidate["verdict"] == "not reproduced" and candidate["closest"], "no verdict", candidate)


def tsan_race(first, second):
    """A report of ThreadSanitizer about two lines."""
    return f"""WARNING: ThreadSanitizer: data race (pid=1)
  Write of size 4 at 0x55 by thread T2:
    #0 operator() {first} (a+0x1)

  Previous read of size 4 at 0x55 by thread T1:
    #0 operator() {second} (a+0x2)

SUMMARY: ThreadSanitizer: data race {first} in operator()
"""


def with_report(test, report, *options, **expectations):
    pathlib.Path("report.txt").write_bytes(report if isinstance(report, bytes) else report.encode())
    return active(test, "--file", "none", "--report", "report.txt", *options, **expectations)


@case
def unreadable_reports(test):
    with_report(test, "", code=2, says="is empty")
    with_report(test, "all is well\n", code=2, says="no report of ThreadSanitizer, Helgrind or DRD")
    with_report(test, bytes(range(256)) * 5000, code=2, says="no report of ThreadSanitizer, Helgrind or DRD")
    with_report(test, "==7== Helgrind, a thread error detector\n==7== ERROR SUMMARY: 0 errors\n", code=3,
                says="nothing to confirm")
    active(test, "--report", "missing.txt", code=2, says="missing.txt")
    active(test, "--report", test.folder, code=2, says="cannot read")


@case
def reports_of_other_programs(test):
    report = tsan_race("/src/other.cc:16", "/src/other.cc:22")
    pathlib.Path("report.txt").write_text(report)
    test.snag("active", "--quiet", "--report", "report.txt", code=2, says="1 race and 0 lock orders; name the program")
    with_report(test, report, "--assert", code=2, says="leave out")
    with_report(test, report, "--deadlock", code=3, says="leave out --deadlock")
    with_report(test, report, code=3, says="no code of other.cc is in this program")
    with_report(test, report, code=3, says="compiled by snag c++ from the same source")
    with_report(test, report[:60], code=3, says="names no line")
    with_report(test, tsan_race("/src/flag_race.cc:900", "/src/flag_race.cc:901"), code=3, says="no such line")
    # A failure of the program says nothing about the report.
    pathlib.Path("failing.cc").write_text("#include <thread>\nint main() {\n  std::thread([] {}).join();\n  return 7;\n}\n")
    with_report(test, report, program=test.compile("failing.cc", "failing"), code=1,
                says="compiled by snag c++ from the same source")


@case
def impossible_report(test):
    """A reported race that cannot happen is not confirmed, and Snag does not call the report false."""
    write, read = line_with(FLAG_RACE, "data = 42;"), line_with(FLAG_RACE, "CHECK(data")
    report = tsan_race(f"/elsewhere/flag_race.cc:{write}:5", f"flag_race.cc:{read}")
    done = active(test, "--runs", "5", "--seed", "1", "--report", "-", stdin=report + report,
                  says="not reproduced in 5 runs, entry 1 (line 1) of the report: race: one thread ")
    expect("closest: " in done.out and "2 races and 0 lock orders, 1 different: 0 confirmed" in done.out, "no verdict", done)
    expect("false" not in done.out, "'not reproduced' does not mean 'false'", done)


@case
def reports_that_name_variables(test):
    """A race on one variable does not confirm the report of a race on another one in the same lines."""
    write, read = line_with(PUBLISHED, "// written"), line_with(PUBLISHED, "// read")
    report = ""
    for number, variable in enumerate(("stats", "published")):
        report += (f"==1== Possible data race during read of size 4 at 0x10{number} by thread #3\n"
                   f"==1==    at 0x{number}: Consume() (published.cc:{read})\n"
                   "==1== This conflicts with a previous write of size 4 by thread #2\n"
                   f"==1==    at 0x1{number}: Produce() (published.cc:{write})\n"
                   f"==1==  Address 0x10{number} is 0 bytes inside data symbol \"{variable}\"\n==1==\n")
    done = active(test, "--runs", "10", "--seed", "1", "--shrink-time", "0", "--report", "-", "--json",
                  program=test.shared / "published", stdin=report, code=1)
    result = done.json()
    ends = [entry["verdict"] for entry in result["report"]["entries"]]
    expect(ends == ["confirmed", "not reproduced"], f"the verdicts are {ends}", done)
    expect("stats" in result["candidates"][0]["title"] and "published" in result["candidates"][1]["title"],
           "the variables are mixed up", done)


@case
def reports_without_variables(test):
    read = line_with(PUBLISHED, "// read")
    report = "".join(f"==1== Conflicting load by thread 3 at 0x0010c0{number} size 4\n"
                     f"==1==    at 0x{number}: Consume() (published.cc:{read})\n"
                     "==1== Allocation context: BSS section of /src/published\n==1==\n" for number in range(2))
    active(test, "--runs", "10", "--seed", "1", "--shrink-time", "0", "--report", "-", program=test.shared / "published",
           stdin=report, code=1,
           says=["the report does not say which variable it is: published not reproduced, stats confirmed",
                 "2 different: 0 confirmed, 0 not reproduced, 2 unclear"])


@case
def freed(test):
    """Freeing a block is one side of a race, wherever in the block the other access is."""
    program = test.compile(HERE / "reported" / "freed.cc", "freed")
    done = active(test, "--race", "--json", "--shrink-time", "0", "--seed", "1", program=program, code=1)
    confirmed = confirmed_of(done)
    expect(len(confirmed) == 1 and confirmed[0]["harmful"] and "gives memory back" in confirmed[0]["title"],
           "not confirmed", done)
    test.snag("replay", confirmed[0]["trace"], code=1)


@case
def google_test(test):
    pathlib.Path("test.cc").write_text(GOOGLE_TEST)
    program = test.compile("test.cc", "test", "-lgtest", "-lgtest_main")
    done = active(test, "--assert", "--json", "--shrink-time", "0", "--seed", "1", program=program, code=1)
    confirmed = confirmed_of(done)
    expect(len(confirmed) == 1 and "GoogleTest at test.cc:17" in confirmed[0]["title"], "not the check", done)
