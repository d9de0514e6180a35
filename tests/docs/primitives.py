#!/usr/bin/env python3
"""Checks that docs/reference/primitives.md lists what the runtime exports, and nothing else.

Usage: primitives.py <exports.list> <primitives.md>

Listed are the names in back quotes in the page's list items, up to its last section.
"""

import re
import sys

HOOKS = re.compile(r"__tsan_|__snag_(read|write|mem|group|hook|thread)|_Z")  # the compiler's hooks are described as a whole


def main():
    exports_path, page_path = sys.argv[1:]
    with open(exports_path, encoding="utf-8") as file:
        exported = {line.strip(" ;\n") for line in file} - {"{", "}", ""}
    exported = {name for name in exported if not HOOKS.match(name)}
    with open(page_path, encoding="utf-8") as file:
        page = file.read().partition("## The C++ standard library")[0]
    items = re.findall(r"^- .*(?:\n  .*)*", page, re.MULTILINE)
    listed = set()
    for item in items:
        # Behind a name and a colon comes an explanation, which may quote other things.
        listed |= set(re.findall(r"`(\w+)", item.partition("`: ")[0]))
    wrong = [f"{name} is exported by the runtime, but not in the page" for name in sorted(exported - listed)]
    wrong += [f"{name} is in the page, but not exported by the runtime" for name in sorted(listed - exported)]
    for line in wrong:
        print(f"{page_path}: {line}")
    if not exported:
        print(f"{exports_path}: no symbols")
    return 1 if wrong or not exported else 0


if __name__ == "__main__":
    sys.exit(main())
