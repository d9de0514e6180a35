#!/usr/bin/env python3
"""Checks that the pages name every option that the commands they describe have, and no other.

Usage: options.py <snag> <docs>
"""

import pathlib
import re
import subprocess
import sys

OPTION = re.compile(r"--[a-z][a-z-]*")
PAGES = {
    "guide/active.md": ("active",),
    "guide/gen.md": ("gen",),
    "guide/run.md": ("run",),
    "guide/replay.md": ("replay",),
    "guide/shrink.md": ("shrink",),
    "guide/export.md": ("export",),
    "guide/cover.md": ("cover", "cover report", "cover merge", "cover diff", "cover curve", "cover prune",
                       "cover why"),
}


def check(snag, path, commands):
    page = path.read_text(encoding="utf-8")
    wrong = []
    for command in commands:
        text = subprocess.run([snag, *command.split(), "--help"], check=True, capture_output=True, text=True).stdout
        help_lines = [line for line in text.splitlines() if re.match(r"  -", line)]
        offered = {OPTION.search(line).group() for line in help_lines} - {"--help"}
        section = page.partition(f"## Options of snag {command}\n")[2].partition("\n## ")[0]
        rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
        described = {name for row in rows for name in OPTION.findall(row)}
        wrong += [f"{name} of snag {command} is not described" for name in sorted(offered - described)]
        wrong += [f"snag {command} has no {name}" for name in sorted(described - offered)]
        if not offered:
            wrong.append(f"snag {command} --help shows no options")
    return [f"{path}: {line}" for line in wrong]


def main():
    snag, docs = sys.argv[1:]
    wrong = []
    for page, commands in PAGES.items():
        wrong += check(snag, pathlib.Path(docs) / page, commands)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
