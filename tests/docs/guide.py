#!/usr/bin/env python3
"""Checks that the C++ code and the failures in the guide are those of the examples.

Usage: guide.py <guide> <example's source>... -- <program with failures>
"""

import re
import subprocess
import sys


def main():
    split = sys.argv.index("--")
    guide = open(sys.argv[1], encoding="utf-8").read()
    sources = [open(path, encoding="utf-8").read() for path in sys.argv[2:split]]
    program = sys.argv[split + 1]
    wrong = []

    blocks = re.findall(r"```cpp\n(.*?)```", guide, re.DOTALL)
    for block in blocks:
        if not any(squeeze(block) in squeeze(source) for source in sources):
            wrong.append(f"this code is in none of the examples:\n{block}")

    said = ""
    for test in tests_of(program):
        done = subprocess.run([program, f"--gtest_filter={test}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=60)
        if done.returncode == 0:
            wrong.append(f"{test} does not fail")
        said += done.stdout
    section = guide.partition("## Reading a failure\n")[2].partition("\n## ")[0]
    shown = re.findall(r"(?:^    .*\n)+", re.sub(r"```.*?```", "", section, flags=re.DOTALL), re.MULTILINE)
    for text in shown:
        text = "".join(line.removeprefix("    ") for line in text.splitlines(keepends=True)).rstrip("\n")
        if text not in said:
            wrong.append(f"no example says this:\n{text}")
    if not blocks or not shown:
        wrong.append("the guide has no code, or no failures")
    if wrong:
        print("\n".join(wrong), f"\nthe examples say:\n{said}")
    return 1 if wrong else 0


def squeeze(text):
    """Indentation and empty lines do not count."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def tests_of(program):
    lines = subprocess.run([program, "--gtest_list_tests"], check=True, capture_output=True, text=True).stdout.splitlines()
    return [f"Failures.{line.strip()}" for line in lines if line.startswith("  ")]


if __name__ == "__main__":
    sys.exit(main())
