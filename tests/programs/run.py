"""The programs of clean/ and finds/, under the schedules of `snag run`.

The first lines of a program say what is expected; see tests/lib/program_checks.py. A clean program must exit 0 under
every schedule. In the others a failure of the expected kind must be found, and `snag replay` of its trace must fail in
the same way. Options given here win over those of the program.
"""

import pathlib

from program_checks import Header, check_clean, check_kinds, check_replay, compile_program, search
from snagtest import each, expect, option, sources

HERE = pathlib.Path(__file__).resolve().parent
RUNS = {"clean": 200, "finds": 2000}
RUN_OPTIONS = ("runs", "seed", "strategy", "backend")

option("--compiler", default="g++", help="g++ or clang++-19, given to the wrapper as SNAG_CXX and SNAG_CC")
option("--opt", default="-O1", help="as --opt=-O2")
option("--backend", choices=("user", "futex"))
option("--strategy")
option("--runs", type=int)
option("--seed", type=int)


@each(sources(HERE / "clean", HERE / "finds"))
def check(test, path):
    header = Header(path)
    program = compile_program(test, path, header)
    options = {"--seed": "1", "--runs": str(RUNS["clean" if header.is_clean else "finds"]), "--strategy": "mix",
               "--backend": "user", "--out": "traces", **header.options}
    for name in RUN_OPTIONS:
        if getattr(test.options, name) is not None:
            options["--" + name] = str(getattr(test.options, name))
    report, result = search(test.snag_path, program, options)
    if header.is_clean:
        check_clean(report, result)
        # Some of these programs are meant to have one thread, or threads that share nothing.
        warnings = {warning["kind"] for warning in report.get("warnings", [])} - {"one-thread", "one-order"}
        expect(warnings == header.warnings, f"warnings {sorted(warnings)} instead of {sorted(header.warnings)}", result)
        test.note = f"clean, {report.get('runs')} runs"
        return
    # Most of the bugs come with a data race. What is expected is its consequence.
    if "race" not in header.kinds:
        report["failures"] = [failure for failure in report["failures"] if failure["kind"] != "race"]
    check_kinds(report, result, header)
    for failure in report["failures"]:
        expect(header.max_switches is None or failure["switches"] <= header.max_switches,
               f"{failure['switches']} switches, but {header.max_switches} are enough", result)
        check_replay(test.snag_path, failure)
    test.note = f"{report['failures'][0]['kind']}, {report.get('runs')} runs, replayed"
