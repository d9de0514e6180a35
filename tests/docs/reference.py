"""The generated pages of docs/reference are what the tool prints, and the page of options has every command.

With SNAG_APPROVE=1, the pages are written instead.
"""

import re

from snagtest import ROOT, case, each, expect

WITHOUT_TABLE = {"c++", "cc", "flags"}  # docs/start/compiling.md describes them


@each({name.replace("-", "_"): name for name in ("options", "exit-codes")})
def page(test, name):
    test.compare(ROOT / "docs" / "reference" / f"{name}.md", test.snag("reference", name).out)


@case
def every_command(test):
    names = re.findall(r"^  ([a-z+]+) ", test.snag("--help").out, re.MULTILINE)
    names += re.findall(r"^  (?:snag )?(cover [a-z]+) ", test.snag("cover", "--help").out, re.MULTILINE)
    described = set(re.findall(r"^## snag (.+)$", test.snag("reference", "options").out, re.MULTILINE))
    missing = set(names) - WITHOUT_TABLE - described
    expect(not missing, "snag reference options has no section for these commands", *sorted(missing))
