"""docs/reference/primitives.md lists the functions that the runtime exports, and no others.

These are the names in back quotes in the list items of the page, up to its last section; a name with * stands for all
that it fits.
"""

import fnmatch
import re

from snagtest import ROOT, case, expect, option, path

HOOKS = re.compile(r"__tsan_|__snag_(read|write|mem|group|hook|thread|atomic)|_Z")  # the page describes the hooks as a whole

option("--exports", type=path, help="the list of exported symbols, exports.list")


@case
def primitives(test):
    exported = {line.strip(" ;\n") for line in test.options.exports.read_text(encoding="utf-8").splitlines()}
    exported = {name for name in exported - {"{", "}", ""} if not HOOKS.match(name)}
    expect(exported, "the runtime exports nothing")
    text = (ROOT / "docs" / "reference" / "primitives.md").read_text(encoding="utf-8")
    listed = set()
    for item in re.findall(r"^- .*(?:\n  .*)*", text.partition("## The C++ standard library")[0], re.MULTILINE):
        # After a name and a colon comes an explanation, which may quote other things.
        listed |= set(re.findall(r"`([\w*]+)", item.partition("`: ")[0]))
    missing = {name for name in exported if not any(fnmatch.fnmatchcase(name, pattern) for pattern in listed)}
    expect(not missing, "the page does not list these functions", *sorted(missing))
    unknown = {pattern for pattern in listed if not fnmatch.filter(exported, pattern)}
    expect(not unknown, "the runtime does not export these functions", *sorted(unknown))
