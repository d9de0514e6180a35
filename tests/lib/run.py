#!/usr/bin/env python3
"""Runs the cases of a test script: run.py <script> [--list] [--case NAME] [--snag PATH]; `run.py <script> --help` has the
rest. The harness is described in snagtest.py.

The scripts import snagtest, which Python finds because it is next to this file.
"""

import pathlib
import runpy
import sys

sys.dont_write_bytecode = True
import snagtest  # noqa: E402


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__.strip())
    script = pathlib.Path(sys.argv[1]).resolve()
    declared = runpy.run_path(str(script))
    return snagtest.main(declared["__doc__"], sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
