"""Compares the coverage that a program records with a checker of its full trace (tests/commands/cover/exact/check.cc).

Used by tests/commands/cover/exact, and by `scripts/bench cover-exact` with more schedules.
"""

import json

from snagtest import ROOT, Failure, run, text_of

PROGRAMS = ROOT / "tests" / "commands" / "cover" / "exact" / "programs"


def compare(checker, program, schedules, seed=1):
    """The checker's row of numbers, and a text about the differences, which is empty if there are none."""
    done = run(checker, "--schedules", schedules, "--seed", seed, program, code=None, timeout=1800)
    rows = [json.loads(line) for line in done.out.splitlines() if line.startswith("{")]
    if done.code not in (0, 1) or not rows:
        raise Failure(f"the checker failed\n{text_of(done)}")
    row = rows[0]
    return row, "" if row["differences"] == 0 else f"{row['differences']} differences\n{done.err}"
