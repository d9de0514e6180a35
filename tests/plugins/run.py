#!/usr/bin/env python3
"""What a program's hooks tell of, in groups and one by one, must be the same accesses, for each address in the same
order; and natively nothing must be told. See listener.cc."""
import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os", "-Og")


def listen(program, mode):
    # Without randomness: the same addresses each time.
    done = subprocess.run(["setarch", "-R", program, str(mode)], capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        sys.exit(f"{program}, mode {mode}: exit {done.returncode} {done.stderr}")
    first, *accesses = done.stdout.splitlines()
    words = first.split()
    by_address = collections.defaultdict(list)
    for access in accesses:
        what, address = access.split()
        by_address[address].append(what)
    return dict(zip(words[::2], map(int, words[1::2]))), by_address


def check(program, level):
    natively, nothing = listen(program, 0)
    grouped_counts, grouped = listen(program, 1)
    apart_counts, apart = listen(program, 2)
    problems = []
    if level != "-O0":
        if natively["members"] or natively["others"] or nothing:
            problems.append(f"natively something is told: {natively}")
        if grouped_counts["groups"] < 50 or apart_counts["groups"]:
            problems.append(f"groups: {grouped_counts['groups']}, apart {apart_counts['groups']}")
    if sum(map(len, apart.values())) < 200:
        problems.append("hardly anything is told")
    for address in sorted(grouped.keys() | apart.keys()):
        if grouped.get(address) != apart.get(address):
            problems.append(f"{address}: in groups {grouped.get(address)}, apart {apart.get(address)}")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--snag", required=True)
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    flags = subprocess.run([options.snag, "flags", "--compiler", options.compiler], capture_output=True, text=True,
                           check=True).stdout.split()
    if not any("plugin" in flag for flag in flags):
        sys.exit(f"no plugin for {options.compiler}: {flags}")
    problems = []
    with tempfile.TemporaryDirectory(prefix="snag-instrument.") as folder:
        common = ["-std=c++20", "-g", f"-I{ROOT}"]
        listener = f"{folder}/listener.o"
        subprocess.run([options.compiler, *common, "-O1", "-c", HERE / "listener.cc", "-o", listener], check=True)
        for level in LEVELS:
            program = f"{folder}/shapes{level}"
            subprocess.run([options.compiler, *flags, *common, level, "-c", HERE / "shapes.cc", "-o", program + ".o"],
                           check=True)
            subprocess.run([options.compiler, program + ".o", listener, "-o", program], check=True)
            problems += [f"{level}: {problem}" for problem in check(program, level)]
    for problem in problems[:20]:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
