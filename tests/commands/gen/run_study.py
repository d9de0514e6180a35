#!/usr/bin/env python3
"""A class of the CovCon study: its bug is found, and nothing in its correct twin. run_study.py <snag> <study> <name>"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

SNAG, STUDY = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
NAME = sys.argv[3]
PATIENCE = 300  # seconds, on a machine under load
# How `bug` of classes.tsv shows itself under controlled schedules.
KINDS = {"atom.": {"exception", "wrong result"}, "deadl.": {"deadlock"}, "race": {"data race"}}


def run(folder, *arguments, code):
    """What snag says as JSON; it must end with that code."""
    done = subprocess.run([SNAG, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE, check=False,
                          cwd=folder)
    if done.returncode != code:
        sys.exit(f"FAIL exit {done.returncode} instead of {code}: {arguments}\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def row_of(name):
    lines = (STUDY / "classes.tsv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t")
    return next(row for row in rows if row["name"] == name)


def main():
    row = row_of(NAME)
    with tempfile.TemporaryDirectory() as folder:
        base = ["gen", "--json", "--quiet", "--seed", 1, "--class", row["class"], "--header",
                STUDY / "classes" / f"{NAME}.h"]
        flags = ["--", "-std=c++20", "-O1", "-g"]
        found = run(folder, *base, "--tests", 5000, "--driver", "bad", *flags, code=1)
        violation = found["violations"][0]
        if violation["kind"] not in KINDS[row["bug"]] or not violation["confirmed"]:
            sys.exit(f"FAIL not what is wrong with {NAME}: {violation}")
        run(folder, *base, "--tests", 300, "--driver", "ok", *flags, "-DCORRECT", code=0)
        run(folder, "gen-driver", "--json", "--quiet", "--seed", 2, "--schedules", "system", "--tests", 1000, "ok/driver",
            code=0)
        print(f"{NAME}: {violation['kind']} after {violation['tests']} tests, nothing in the twin")


main()
