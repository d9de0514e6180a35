"""Drivers for real classes (real_classes.tsv): `snag gen` must be able to call at least 90 % of their public methods.

A class whose library is not installed is skipped.
"""

import csv
import pathlib
import re

from snagtest import each, expect, skip

HERE = pathlib.Path(__file__).resolve().parent
ENOUGH = 0.9


def classes():
    lines = [line for line in (HERE / "real_classes.tsv").read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    return {re.sub(r"\W+", "_", row["class"]).strip("_"): row for row in csv.DictReader(lines, delimiter="\t")}


def is_installed(header):
    name = header.strip("<>")
    return not header.startswith("<") or "/" not in name or (pathlib.Path("/usr/include") / name).exists()


@each(classes())
def check(test, row):
    headers = []
    for header in row["headers"].split():
        if not is_installed(header):
            skip(f"{header} is not installed")
        headers += ["--header", header if header.startswith("<") else HERE / header]
    done = test.snag("gen", "--list", "--json", "--class", row["class"], *headers, *row["options"].split())
    found = done.json()
    missing = [left for left in found["left_out"] if left["kind"] == "method"]
    called, total = len(found["methods"]), len(found["methods"]) + len(missing)
    test.note = f"{called} of {total} methods"
    expect(called >= ENOUGH * total, f"only {called} of {total} methods can be called", missing)
    expect(found["constructors"], "no object can be made", done)
