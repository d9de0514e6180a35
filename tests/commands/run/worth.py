"""A search that tested little or nothing says so; and --time holds, whatever the runs do."""

import pathlib

from snagtest import case, each, expect, expect_equal, prepare

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"


@prepare
def compile_programs(test):
    test.compile(PROGRAMS / "worth.cc", "worth")
    test.compile(PROGRAMS / "selected.cc", "selected", "-lgtest")


def search(test, *arguments, options=("--runs", "30"), **expectations):
    return test.snag("run", "--quiet", "--seed", "1", *options, "--", test.shared / "worth", *arguments, **expectations)


@each({"googletest": "[==========] Running 0 tests from 0 test suites.", "catch2": "No tests ran",
       "doctest": "[doctest] test cases:  0 |  0 passed | 0 failed | 3 skipped",
       "boost": "Test setup error: no test cases matching filter or all test cases were disabled"})
def no_test(test, line):
    """Threads that a fixture starts do not hide that no test ran."""
    done = search(test, line, says="warning: no test ran: the program says '")
    expect("\x1b[32m" not in done.out, "it looks like a success", done)
    report = test.json("run", "--quiet", "--json", "--runs", "30", "-j", "2", "--", test.shared / "worth", line)
    expect_equal([warning["kind"] for warning in report["warnings"]], ["no-test"], "the warnings")


@case
def no_test_after_much_output(test):
    search(test, "PRINTS", options=("--runs", "2"), says="warning: no test ran")


@case
def no_test_and_status(test):
    """Some frameworks exit with a status of their own."""
    search(test, "FAILS", "No tests ran", code=1, says=["exit", "warning: no test ran"])


@case
def tests_ran(test):
    search(test, "[==========] Running 10 tests from 2 test suites.", "[  PASSED  ] 10 tests.", silent_about="warning")


@case
def mistyped_filter(test):
    program = test.shared / "selected"
    command = ("run", "--quiet", "--seed", "1", "--runs", "20", "--", program)
    test.snag(*command, "--gtest_filter=Counter.*", silent_about="warning")
    test.snag(*command, "--gtest_filter=Contuer.*", says="warning: no test ran")


@case
def time_ends_a_long_run(test):
    """The run takes for ever, and no watchdog ends it: only --time does."""
    search(test, "FOREVER", options=("--time", "1", "--hang-timeout", "100000"), code=3, timeout=120,
           says="nothing was judged: --time ended the first run", silent_about="no failure")


@case
def time_ends_a_long_replay(test):
    """A hang is found at once, but it takes as long to replay it: the report comes without."""
    done = search(test, "FOREVER", options=("--time", "2", "--hang-timeout", "1.9"), code=(1, 3), timeout=120)
    expect("hang" in done.out or "nothing was judged" in done.out, "neither a hang nor a warning", done)
