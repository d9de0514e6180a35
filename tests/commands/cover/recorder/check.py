#!/usr/bin/env python3
"""Measures a program with the driver and compares what was recorded with what the program's head says.

The head of a program says `modes: free control`, and what is expected of a metric; what is not named is not looked
at. Places are the letters at the ends of lines: `// A`.

  lp, target, du, du-target, mp   pairs, as A>B; with `context: N` a place has its callers behind, as A/B
  cmp                             counts, as A,B=2
  locks                           A:blocked A:blocking, and A: for a lock that was neither

`metrics: N` are the driver's bits, one measurement for each; `expected: program` has what is expected in lines that the
program prints, as `expect lp A>B`; `compilers: g++ clang++-19` if it is to be tried with others than g++.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

METRICS = {"lp": 0, "target": 0, "du": 1, "du-target": 1, "mp": 2, "cmp": 3}
COVERED, TARGET = 4, 8
LOCK, BLOCKED, BLOCKING = 16, 32, 64


def read_head(lines):
    head = {}
    for line in lines:
        found = re.match(r"// ([a-z-]+):(.*)", line)
        if found:
            head[found[1]] = found[2].split()
    return head


class Places:
    """From an address in the executable to the letter of its line."""

    def __init__(self, program, source, lines):
        self.program, self.source = program, source
        self.letters = {}
        for number, line in enumerate(lines, 1):
            found = re.search(r"// ([A-Z])$", line)
            if found:
                self.letters[number] = found[1]
        self.known = {}

    def letter(self, address):
        if address not in self.known:
            text = subprocess.run(["addr2line", "-i", "-e", self.program, hex(int(address, 16) - 1)],
                                  capture_output=True, text=True, check=True).stdout
            # Functions of the library are inlined: the innermost place in the program itself.
            lines = re.findall(re.escape(self.source.name) + r":(\d+)", text)
            self.known[address] = self.letters.get(int(lines[0]), "") if lines else ""
        return self.known[address]

    def name(self, place):
        letters = [self.letter(address) for address in place.split("/")]
        return "/".join(letters) if all(letters) else ""


def metrics_of(head):
    # (Lines cost nothing.)
    return head.get("metrics") or ["63" if "mp" in head or "cmp" in head or "locks" in head else "19"]


def measure(driver, mode, metrics, head, program):
    words = [f"metrics={metrics}"]
    if "context" in head:
        words.append(f"context={head['context'][0]}")
    runs = head.get("runs", ["1"])[0]
    words.append(f"runs={runs}")
    done = subprocess.run([driver, mode, *words, "--", program], capture_output=True, text=True, timeout=100)
    if done.returncode != 0:
        sys.exit(f"{mode}: the driver failed: {done.stderr}")
    return [line.split() for line in done.stdout.splitlines()], int(runs)


def found_pairs(records, places, metric, flag):
    pairs = {}
    for record in records:
        if record[0] != "pair" or int(record[1]) != METRICS[metric] or not int(record[2]) & flag:
            continue
        names = places.name(record[4]), places.name(record[5])
        if all(names):
            pairs[names] = pairs.get(names, 0) + int(record[3])
    return pairs


def check(mode, records, runs, head, places):
    problems = []

    def compare(metric, found):
        expected = set(head[metric])
        if set(found) != expected:
            problems.append(f"{mode}: {metric}: not expected: {sorted(set(found) - expected)}, "
                            f"missing: {sorted(expected - set(found))}")

    for metric in METRICS:
        if metric not in head:
            continue
        flag = TARGET if metric.endswith("target") else COVERED
        pairs = found_pairs(records, places, metric, flag)
        if metric == "cmp":
            compare(metric, [f"{a},{b}={n}" for (a, b), n in sorted(
                {tuple(sorted(names)): n for names, n in pairs.items()}.items())])
        else:
            compare(metric, [f"{a}>{b}" for a, b in pairs])
    if "locks" in head:
        locks = {}
        for record in records:
            if record[0] == "location" and int(record[1]) & LOCK:
                letter = places.letter(record[2].split("/")[0])
                if letter:
                    locks[letter] = locks.get(letter, 0) | int(record[1])
        found = []
        for letter, seen in locks.items():
            found += [f"{letter}:blocked"] * bool(seen & BLOCKED) + [f"{letter}:blocking"] * bool(seen & BLOCKING)
            found += [f"{letter}:"] * (not seen & (BLOCKED | BLOCKING))
        compare("locks", found)
    if mode.startswith("control"):
        ends = [int(record[2]) for record in records if record[0] == "end"]
        if ends != [1] * runs:
            problems.append(f"control: the runs ended as {ends}")
    lost = next(record for record in records if record[0] == "lost")
    if lost[1:] != ["0"] * 4:
        problems.append(f"{mode}: lost {lost[1:]}")
    return problems


def check_all(options, head, program, places):
    problems = []
    for mode in head["modes"]:
        for metrics in metrics_of(head):
            records, runs = measure(options.driver, mode, metrics, head, program)
            told = {record[1]: record[2:] for record in records if record[0] == "expect"}
            if head.get("expected") == ["program"] and not all(told.values() or [False]):
                problems.append(f"{mode}: the program expects nothing")
            problems += check(f"{mode}, metrics {metrics}", records, runs, head | told, places)
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--snag", required=True)
    parser.add_argument("--driver", required=True)
    parser.add_argument("source", type=pathlib.Path)
    options = parser.parse_args()
    lines = options.source.read_text().splitlines()
    head = read_head(lines)
    problems = []
    for compiler in head.get("compilers", ["g++"]):
        with tempfile.TemporaryDirectory(prefix="snag-cover.") as folder:
            program = f"{folder}/{options.source.stem}"
            subprocess.run([options.snag, "c++", "-std=c++20", "-O1", "-g", "-pthread", options.source, "-o", program],
                           check=True, env=os.environ | {"SNAG_CXX": compiler})
            places = Places(program, options.source, lines)
            problems += [f"{compiler}: {problem}" for problem in check_all(options, head, program, places)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
