#!/usr/bin/env python3
"""Drivers for real classes: at least 90 % of their public methods can be called. real_classes.py <snag>.

A class whose package is not installed is left out, and that is said.
"""

import csv
import json
import pathlib
import subprocess
import sys

SNAG = pathlib.Path(sys.argv[1]).resolve()
HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = 300  # seconds, on a machine under load
ENOUGH = 0.9


def classes():
    """Of real_classes.tsv: name, headers, options."""
    lines = [line for line in (HERE / "real_classes.tsv").read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    for row in csv.DictReader(lines, delimiter="\t"):
        headers = [header if header.startswith("<") else str(HERE / header) for header in row["headers"].split()]
        yield row["class"], headers, row["options"].split()


def is_installed(header):
    name = header.strip("<>")
    return not header.startswith("<") or "/" not in name or (pathlib.Path("/usr/include") / name).exists()


def main():
    failed = False
    for name, headers, options in classes():
        if not all(is_installed(header) for header in headers):
            print(f"{name}: not installed")
            continue
        command = [SNAG, "gen", "--list", "--json", "--class", name]
        for header in headers:
            command += ["--header", header]
        done = subprocess.run(command + options, capture_output=True, text=True, timeout=PATIENCE, check=False)
        if done.returncode != 0:
            print(f"FAIL {name}: exit {done.returncode}\n{done.stderr}")
            failed = True
            continue
        found = json.loads(done.stdout)
        missing = [left for left in found["left_out"] if left["kind"] == "method"]
        called, total = len(found["methods"]), len(found["methods"]) + len(missing)
        print(f"{name}: {called} of {total} methods")
        for call in found["methods"]:
            print(f"    {call['name']}")
        for left in missing:
            print(f"    without {left['name']}: {left['reason']}")
        if called < ENOUGH * total or not found["constructors"]:
            print(f"FAIL {name}: fewer than 90 %, or no way to make one")
            failed = True
    sys.exit(1 if failed else 0)


main()
