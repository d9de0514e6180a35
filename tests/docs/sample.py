#!/usr/bin/env python3
"""Checks that the failure in README.md is the one that the example really shows: sample.py <README.md> <baseline>."""

import sys


def main():
    readme, baseline = (open(path, encoding="utf-8").read() for path in sys.argv[1:])
    shown = "\n".join(line.removeprefix("    ") for line in readme.splitlines())
    wanted = baseline.partition("\n\n")[2].strip()  # the first lines have the number of runs
    if wanted not in shown:
        print(f"{sys.argv[1]}: the example's failure is not that of {sys.argv[2]}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
