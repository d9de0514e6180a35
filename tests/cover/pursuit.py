#!/usr/bin/env python3
"""Lets `snag run --strategy cover` go after the pairs of pursuit.cc, and replays what it has covered.

    pursuit.py <snag>
"""
import json
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent / "pursuit.cc"


def line_of(comment):
    """"pursuit.cc:13" of the line that ends in the comment."""
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    return f"pursuit.cc:{1 + next(i for i, line in enumerate(lines) if line.endswith('// ' + comment))}"


def call(*command, cwd, code):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=240)
    if done.returncode != code:
        sys.exit(f"exit {done.returncode} instead of {code}: {command}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def expect(condition, what):
    if not condition:
        sys.exit(what)


def main():
    snag = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="snag-pursuit.") as folder:
        call(snag, "c++", "-O0", "-g", "-std=c++20", SOURCE, "-o", "pursuit", cwd=folder, code=0)
        call(snag, "run", "--strategy", "cover", "--", "./pursuit", cwd=folder, code=2)  # nothing was measured
        call(snag, "cover", "--control", "--runs", "1", "--seed", "1", "--", "./pursuit", cwd=folder, code=0)
        result = json.loads(call(snag, "run", "--strategy", "cover", "--seed", "1", "--runs", "60", "--json", "--",
                                 "./pursuit", cwd=folder, code=0))
        report = json.loads(call(snag, "cover", "report", "--json", "--covered", cwd=folder, code=0))
        covered = {pair["text"].partition(", on ")[0] for pair in report["covered"] if pair["metric"] == "lp"}

        def is_covered(first, second):
            return any(line_of(first) in text.partition(" then ")[0] and line_of(second) in text.partition(" then ")[2]
                       for text in covered)

        expect(is_covered("changes", "looks"), f"the write and then the read is not covered: {covered}")
        expect(is_covered("looks", "changes"), f"the read and then the write is not covered: {covered}")
        expect(not is_covered("is told", "begins"), "what cannot be is said to be covered")
        missing = [pair for pair in result["pairs"] if pair["end"] == "not covered"]
        expect(any(line_of("begins") in pair["pair"].partition(" then ")[2] for pair in missing),
               f"the pair that cannot be covered is not listed: {result['pairs']}")
        traces = [pair["trace"] for pair in result["pairs"] if pair["end"] == "covered"]
        expect(traces, f"one schedule cannot have covered both orders: {result['pairs']}")
        for trace in traces:
            expect("identical" in call(snag, "replay", trace, cwd=folder, code=1), f"{trace} does not replay")


if __name__ == "__main__":
    main()
