"""Sleeps and timeouts in reports: which one did not end as in exact time, and which one hides a signal that came too
early."""

import pathlib

from snagtest import case, expect, expect_equal, prepare

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"


@prepare
def compile_programs(test):
    test.compile(PROGRAMS / "sleepers.cc", "sleepers")
    test.compile(PROGRAMS / "timed_pool.cc", "timed_pool")


def failure(test, timeouts):
    report = test.json("run", "--quiet", "--seed", "1", "--json", "--timeouts", timeouts, "--", test.shared / "sleepers",
                       code=1)
    return report["failures"][0]


@case
def early(test):
    """The first one that left the order, not a later one that has nothing to do with the failure."""
    found = failure(test, "early")
    expect("late_end" not in found and "overtaking_end" not in found, "no thread was late", found)
    expect_equal((found["early_end"]["thread"], found["early_end"]["sleep"]), (2, True), "the sleep that ended early")


@case
def late(test):
    """No sleep ends early: a thread was late."""
    found = failure(test, "late")
    expect("early_end" not in found, "a sleep is said to end early", found)
    if "late_end" in found:
        expect_equal(found["late_end"]["thread"], 1, "the thread that slept too long")
    else:
        expect_equal(found["overtaking_end"]["thread"], 2, "the thread that overtook another one")
    test.snag("run", "--quiet", "--seed", "1", "--timeouts", "late", "--", test.shared / "sleepers", code=1,
              says=": --timeouts exact rules that out", silent_about="ends early")


@case
def exact(test):
    test.snag("run", "--quiet", "--seed", "1", "--runs", "100", "--timeouts", "exact", "--", test.shared / "sleepers",
              says="no failure in 100 schedules")


@case
def late_wakeup_has_names(test):
    """The source's names, as in the table of a failure."""
    test.snag("run", "--quiet", "--seed", "1", "--runs", "300", "--", test.shared / "timed_pool",
              says=["the signal for wake_ came too early", "T1 read stop_", "T0 wrote stop_", "T0 signalled wake_ when"])
