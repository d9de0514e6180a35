#!/usr/bin/env python3
"""Compares the generated pages of docs/reference with what the tool prints: reference.py <snag> <docs>.

With SNAG_APPROVE set, writes the pages instead. Also checks that the page of options has every command.
"""

import os
import pathlib
import re
import subprocess
import sys

PAGES = ("options", "exit-codes")
WITHOUT_TABLE = {"c++", "cc", "flags"}  # docs/start/compiling.md describes them


def output(snag, *arguments):
    return subprocess.run([snag, *arguments], check=True, capture_output=True, text=True).stdout


def commands(snag):
    names = re.findall(r"^  ([a-z+]+) ", output(snag, "--help"), re.MULTILINE)
    parts = re.findall(r"^  (?:snag )?(cover [a-z]+) ", output(snag, "cover", "--help"), re.MULTILINE)
    return {*names, *parts} - WITHOUT_TABLE


def main():
    snag, docs = sys.argv[1:]
    wrong = []
    for name in PAGES:
        path = pathlib.Path(docs) / f"reference/{name}.md"
        printed = output(snag, "reference", name)
        if os.environ.get("SNAG_APPROVE"):
            path.write_text(printed, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != printed:
            wrong.append(f"{path} is not what `snag reference {name}` prints: run scripts/approve")
    described = set(re.findall(r"^## snag (.+)$", output(snag, "reference", "options"), re.MULTILINE))
    wrong += [f"snag reference options has no section for snag {name}" for name in sorted(commands(snag) - described)]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
