"""Some classes of the CovCon study (bench/papers/covcon), one for each kind of bug: `snag gen` must find the bug, and
nothing in the correct twin. This keeps the study working.
"""

import csv

from snagtest import ROOT, each, expect

STUDY = ROOT / "bench" / "papers" / "covcon"
CLASSES = ("logger", "synchronized_map", "string_buffer", "per_user_pool")
# How `bug` of classes.tsv shows itself under controlled schedules.
KINDS = {"atom.": {"exception", "wrong result"}, "deadl.": {"deadlock"}, "race": {"data race"}}


def row_of(name):
    lines = (STUDY / "classes.tsv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t")
    return next(row for row in rows if row["name"] == name)


@each({name: name for name in CLASSES})
def check(test, name):
    row = row_of(name)
    base = ["gen", "--json", "--quiet", "--seed", 1, "--class", row["class"], "--header", STUDY / "classes" / f"{name}.h"]
    flags = ["--", "-std=c++20", "-O1", "-g"]
    violation = test.json(*base, "--tests", 5000, "--driver", "bad", *flags, code=1)["violations"][0]
    expect(violation["kind"] in KINDS[row["bug"]] and violation["confirmed"], "another bug than the class has", violation)
    test.json(*base, "--tests", 300, "--driver", "ok", *flags, "-DCORRECT")
    test.json("gen-driver", "--json", "--quiet", "--seed", 2, "--schedules", "system", "--tests", 1000, "ok/driver")
    test.note = f"{violation['kind']} after {violation['tests']} tests, nothing in the twin"
