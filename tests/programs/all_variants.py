"""clean/every_primitive.cc with each compiler, optimisation level, backend and strategy: it must stay clean.

ctest runs a few schedules of each; `make soak` runs 1000.
"""

import itertools
import pathlib

from program_checks import Header, check_clean, search
from snagtest import each, option, prepare

SOURCE = pathlib.Path(__file__).resolve().parent / "clean" / "every_primitive.cc"
COMPILERS = {"gcc": "g++", "clang": "clang++-19"}
LEVELS = ("O0", "O2")
BACKENDS = ("user", "futex")
STRATEGIES = ("random", "pct", "pos", "surw", "dfs", "mix")

option("--runs", type=int, default=1000)


@prepare
def compile_variants(test):
    for kind, level in itertools.product(COMPILERS, LEVELS):
        test.compile(SOURCE, f"{kind}-{level}", *Header(SOURCE).flags, compiler=COMPILERS[kind], opt=f"-{level}")


@each({".".join(variant): variant for variant in itertools.product(COMPILERS, LEVELS, BACKENDS, STRATEGIES)})
def check(test, variant):
    kind, level, backend, strategy = variant
    options = {"--seed": "1", "--runs": str(test.options.runs), "--strategy": strategy, "--backend": backend}
    check_clean(*search(test.snag_path, test.shared / f"{kind}-{level}", options))
