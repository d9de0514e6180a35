"""The programs of programs/: for every metric, the recorded coverage must agree with the full trace of the same run (see
check.cc), on random schedules.
"""

from exact_coverage import PROGRAMS, compare
from snagtest import each, expect, option, path

option("--check", type=path, help="the checker, cover_exact")
option("--schedules", type=int, default=20)
option("--seed", type=int, default=1)
option("--compiler", default="g++", help="g++ or clang++-19")
option("--opt", default="-O1", help="as --opt=-O2")


@each({program.stem: program for program in sorted(PROGRAMS.glob("*.cc"))})
def check(test, source):
    program = test.compile(source, source.stem, compiler=test.options.compiler, opt=test.options.opt)
    row, differences = compare(test.options.check, program, test.options.schedules, test.options.seed)
    expect(not differences, f"recorded coverage differs from the full trace: {differences}")
    test.note = f"{row['schedules']} schedules, {row['events']:,} events"
