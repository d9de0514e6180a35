"""The figures of the location-pairs study (bench/measure/location_pairs_table.py) on measurements made by hand."""

import sys

from snagtest import ROOT, case, expect_equal

sys.path.insert(0, str(ROOT / "bench"))
from measure.location_pairs import Measured  # noqa: E402
from measure.location_pairs_table import figures  # noqa: E402

FRAME = {"file": "own.cc", "line": 1, "column": 1}
LOCATIONS = {"1": [{**FRAME, "function": "F"}], "2": [{**FRAME, "function": "F", "line": 2}],
             "3": [{**FRAME, "function": "CheckEnd", "line": 3}], "4": [{**FRAME, "function": "std::f", "file": "x"}],
             # The same place as 1, by another instruction.
             "5": [{**FRAME, "function": "F"}]}
COVERED, TARGET = 4, 8


def study(*iterations):
    """Of (pass that fails, {pair: first pass})."""
    return Measured({"locations": LOCATIONS,
                     "iterations": [{"failed": [[last, "abort"]],
                                     "pairs": [["LP", first, second, number, 0, COVERED | TARGET]
                                               for (first, second), number in pairs.items()]}
                                    for last, pairs in iterations]}, {"own.cc"})


@case
def pair_that_is_always_covered(test):
    # The first iteration covers both pairs before the bug: complete too early. The second one covers the last pair
    # together with the bug: in time.
    measured = study((5, {(1, 2): 0, (2, 1): 3}), (2, {(1, 2): 0, (2, 1): 2}))
    expect_equal(figures(measured, "LP"), {"adequate": 50.0, "detect": 25.0, "new": 50.0, "coverage": 100.0}, "wrong figures")


@case
def pair_that_is_covered_once(test):
    # Only the second iteration covers the second pair: the first one was never complete.
    measured = study((5, {(1, 2): 0}), (2, {(1, 2): 0, (2, 1): 1}))
    expect_equal(figures(measured, "LP"), {"adequate": 50.0, "detect": 0.0, "new": 0.0, "coverage": 75.0}, "wrong figures")


@case
def pairs_that_count(test):
    # Checks and libraries do not count; two instructions of one place are one, and the first pass of either counts.
    measured = study((1, {(1, 3): 0, (4, 1): 0, (5, 2): 1, (1, 2): 0}))
    expect_equal(len(measured.target("LP")), 1, "wrong number of target pairs")
    expect_equal(measured.iterations[0]["covered"]["LP"], {(measured.places[1], measured.places[2]): 0}, "wrong pairs")
