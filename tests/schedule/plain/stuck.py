"""What a program prints when an event schedule keeps all its threads waiting, word for word: tests/baselines/stuck.

The cases are those of stuck_cases.cc.
"""

import pathlib
import re

from snagtest import ROOT, case, each, expect_equal, option, path, run

HERE = pathlib.Path(__file__).resolve().parent
CASES = re.findall(r'\{"([a-z-]+)", \w+\}', (HERE / "stuck_cases.cc").read_text(encoding="utf-8"))
SECONDS = 60  # each case ends at once, unless Snag hangs

option("--program", type=path, help="schedules_stuck_cases")


@each({name: name for name in CASES})
def check(test, name):
    # The schedule's own time limit is far away: it must not be what ends the program.
    done = run(test.options.program, name, code=None, env={"SNAG_SCHEDULE_TIMEOUT": 1000}, timeout=SECONDS)
    end = f"exit code {done.code}" if done.code >= 0 else f"signal {-done.code}"
    test.compare(f"stuck/{name}.txt", f"{done.text}{end}\n")


@case
def no_other_cases(test):
    expect_equal(sorted(run(test.options.program).out.split()), sorted(CASES), "the program has other cases")
    baselines = [file.stem for file in (ROOT / "tests" / "baselines" / "stuck").glob("*.txt")]
    expect_equal(sorted(baselines), sorted(CASES), "tests/baselines/stuck has other cases")
