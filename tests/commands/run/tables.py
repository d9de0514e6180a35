"""The failures of real programs (tables.tsv), word for word: tests/baselines/tables.

Each program is compiled and searched with a fixed seed. Addresses, folders and times depend on the machine and are
replaced.
"""

import csv
import os
import pathlib
import re

from snagtest import ROOT, each, expect

HERE = pathlib.Path(__file__).resolve().parent
# The approved texts are those of the C locale.
NO_LOCALE = {name: None for name in os.environ if name.startswith(("LC_", "LANG"))}


def programs():
    lines = (HERE / "tables.tsv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t")
    return {row["baseline"]: row for row in rows}


def normalised(text):
    # The summary has tests of its own.
    text = re.split(r"\n\n\d+ (?:different )?failures? in ", text)[0] + "\n"
    text = re.sub(r"0x[0-9a-f]{6,}", "0x...", text)
    text = re.sub(r"(?<=\| )\S*/(?=\w+\.cc:)", "", text)
    return re.sub(r"after [\d,]+ runs?", "after N runs", text)


@each(programs())
def check(test, row):
    source = ROOT / row["program"]
    test.compile(source, source.stem)
    # A long time to shrink: on a busy machine the default may not be enough.
    found = normalised(test.snag("run", "--quiet", "--seed", "1", "--shrink-time", "60", *(row["options"] or "").split(),
                                 "--", f"./{source.stem}", code=1, env=NO_LOCALE).out)
    trace = re.search(r"^to see it again: +snag replay (\S+)$", found, re.MULTILINE)
    expect(trace, "no command to see the failure again", found)
    again = normalised(test.snag("replay", trace.group(1), code=1, env=NO_LOCALE).out)
    begin = found.index("what happened")
    table = found[begin:found.index("\n\n", found.index("\n\n", begin) + 2)]
    expect(table in again, "the replay shows another table", again)
    test.compare(f"tables/{row['baseline']}.txt", found)
