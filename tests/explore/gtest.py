"""<snag/gtest.h>: a failing schedule fails the test, and only that one; its token brings it back."""

import re

from snagtest import case, expect, option, path, run

option("--example", type=path, help="the example of the documentation, gtest_example")
option("--cases", type=path, help="gtest_cases")


def run_program(program, *arguments, token=None, **expectations):
    return run(program, *arguments, env={"SNAG_REPLAY": token}, **expectations)


@case
def token_brings_the_failure_back(test):
    done = run_program(test.options.example, code=1, says=["sold", "[  FAILED  ] Tickets.TheLastOneIsSoldOnce"])
    found = re.search(r"SNAG_REPLAY='(.*)'", done.text)
    expect(found, "no token", done)
    run_program(test.options.example, token=found.group(1), code=1, says=f"SNAG_REPLAY='{found.group(1)}'")


@case
def damaged_token(test):
    run_program(test.options.example, token="snag1:damaged", code=1, says="the token is damaged")


@case
def only_failing_tests_fail(test):
    run_program(test.options.cases, code=1,
                says=[*(f"[       OK ] Passes.{name}" for name in ("NothingFails", "Exhausted", "AfterAllThat")),
                      *(f"[  FAILED  ] Fails.{name}" for name in ("Expect", "Assert", "Crash", "Exception")),
                      "[  PASSED  ] 3 tests.", "too early", "exception: boom"])


@case
def passing_tests_are_silent(test):
    run_program(test.options.cases, "--gtest_filter=Passes.*", silent_about="Failure")


@case
def under_snag_run(test):
    """A test that explores by itself says so under `snag run`."""
    test.snag("run", "--quiet", "--show-output", "--runs", "1", "--", test.options.cases,
              "--gtest_filter=Passes.NothingFails", code=1, says="start the test without snag run", env={"SNAG_REPLAY": None})
