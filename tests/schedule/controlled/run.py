"""Programs with event schedules, compiled by `snag c++`: natively, and under `snag run`."""

import pathlib

from snagtest import case, each, prepare, run

HERE = pathlib.Path(__file__).resolve().parent


@prepare
def compile_programs(test):
    for name in ("clean", "finds", "unmet", "names", "never_met"):
        test.compile(HERE / f"{name}.cc", name, "-lsnag_schedule")


def search(test, program, *options, **expectations):
    test.snag("run", "--quiet", "--seed", "1", *options, "--", test.shared / program, **expectations)


@case
def natively(test):
    for _ in range(5):
        run(test.shared / "clean")


# Program: options of `snag run`, and what is expected.
PROGRAMS = {
    "clean": (["--runs", "300"], {"silent_about": "could not be met"}),
    "finds": (["--runs", "300"], {"code": 1, "says": ["failed assertion", "confirmed by a replay"]}),
    "unmet": (["--runs", "100"], {"says": "runs in which the event schedule could not be met"}),
    "names": (["--runs", "300"], {}),
    "never_met": (["--runs", "20"], {"code": 3, "says": "nothing was tested"}),
}


@each({f"{program}.{backend}": (program, backend) for program in PROGRAMS for backend in ("user", "futex")})
def controlled(test, parameters):
    program, backend = parameters
    options, expectations = PROGRAMS[program]
    search(test, program, *options, "--backend", backend, **expectations)


@case(name="clean.dfs")
def clean_dfs(test):
    search(test, "clean", "--runs", "300", "--strategy", "dfs", says="not exhaustive")


@case(name="never_met.dfs")
def never_met_dfs(test):
    search(test, "never_met", "--strategy", "dfs", code=3, says="not exhaustive")
