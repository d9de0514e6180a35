"""The race detector on the programs of racy/ and clean/.

The first lines of a program say what is expected (see tests/lib/program_checks.py): `// Expect: race`, or several kinds,
or `clean`. A clean program must exit 0 under every schedule, with nothing reported. In the others a failure of an
expected kind must be found, and none of another kind. Each access of a race must have a line in its stack that ends in
"// race" or "// heap".
"""

import pathlib

import program_checks
from snagtest import each, option, sources

HERE = pathlib.Path(__file__).resolve().parent
# Most of the races are there in every schedule; a few need one that is not the first.
RUNS = {"bad": 300, "clean": 60}

program_checks.declare_detector_options(option)


@each(sources(HERE / "racy", HERE / "clean"))
def check(test, path):
    program_checks.check_detector(test, path, RUNS, {"--races": "report", "--shrink-time": "0"})
