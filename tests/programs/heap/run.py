"""The heap checks on the programs of bad/ and clean/.

The first lines of a program say what is expected (see tests/lib/program_checks.py): `// Expect: heap`, or several kinds,
or `clean`. A clean program must exit 0 under every schedule, with nothing reported. In the others a failure of an
expected kind must be found, and none of another kind. The access of a heap error must have a line in its stack that
ends in "// heap" or "// race".
"""

import pathlib

import program_checks
from snagtest import each, option, sources

HERE = pathlib.Path(__file__).resolve().parent
RUNS = {"bad": 300, "clean": 60}

program_checks.declare_detector_options(option)


# Races are off: where one thread frees what another one uses, there is a race as well.
@each(sources(HERE / "bad", HERE / "clean"))
def check(test, path):
    program_checks.check_detector(test, path, RUNS, {"--races": "off", "--shrink-time": "0"})
