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
FAILING = SOURCE.with_name("pursuit_failing.cc")


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


def check_agreement(snag, folder, result):
    """What the search says is what its data file says."""
    report = json.loads(call(snag, "cover", "report", "--json", "--covered", cwd=folder, code=0))
    total = report["totals"]["lp"]
    expect((result["covered"], result["target"]) == (total["covered"], total["target"]), f"{result} but {total}")
    covered = {pair["text"] for pair in report["covered"] if pair["metric"] == "lp"}
    for pair in result["pairs"]:
        said = pair["end"].startswith("covered")
        expect(said == (pair["pair"] in covered), f"{pair['end']}, but the data file disagrees: {pair['pair']}")


def check_failing(snag, folder):
    """Runs that fail cover, too, and each failure is told once."""
    call(snag, "c++", "-O1", "-g", "-std=c++20", FAILING, "-o", "failing", cwd=folder, code=0)
    pathlib.Path(folder, "snag.cover").unlink()
    call(snag, "cover", "--control", "--runs", "1", "--seed", "1", "--", "./failing", cwd=folder, code=0)
    search = [snag, "run", "--strategy", "cover", "--seed", "1", "--runs", "40", "--json"]
    result = json.loads(call(*search, "--time", "0.001", "--", "./failing", cwd=folder, code=0))
    expect(result["not_tried"] > 0, f"--time does not end the search: {result}")
    result = json.loads(call(*search, "--keep-going", "--", "./failing", cwd=folder, code=1))
    check_agreement(snag, folder, result)
    expect(result["not_tried"] == 0, f"not all pairs were tried: {result}")
    expect(len(result["failures"]) == 1, f"one failure, but told {len(result['failures'])} times")
    report = json.loads(call(snag, "cover", "report", "--json", cwd=folder, code=0))
    expect(sum(measurement["failed_runs"] for measurement in report["measurements"]) > 0, "no run has failed")


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
        check_agreement(snag, folder, result)
        check_failing(snag, folder)


if __name__ == "__main__":
    main()
