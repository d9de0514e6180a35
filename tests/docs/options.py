#!/usr/bin/env python3
"""Checks that docs/run.md names every option that `snag run`, `snag replay` and `snag shrink` have, and no
other.

Usage: options.py <snag> <run.md>
"""

import re
import subprocess
import sys

OPTION = re.compile(r"--[a-z][a-z-]*")


def main():
    snag, page_path = sys.argv[1:]
    with open(page_path, encoding="utf-8") as file:
        page = file.read()
    wrong = []
    for command in ("run", "replay", "shrink"):
        text = subprocess.run([snag, command, "--help"], check=True, capture_output=True, text=True).stdout
        help_lines = [line for line in text.splitlines() if re.match(r"  -", line)]
        offered = {OPTION.search(line).group() for line in help_lines} - {"--help"}
        section = page.partition(f"## Options of snag {command}\n")[2].partition("\n## ")[0]
        rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
        described = {name for row in rows for name in OPTION.findall(row)}
        wrong += [f"{name} of snag {command} is not described" for name in sorted(offered - described)]
        wrong += [f"snag {command} has no {name}" for name in sorted(described - offered)]
        if not offered:
            wrong.append(f"snag {command} --help shows no options")
    for line in wrong:
        print(f"{page_path}: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
