#!/usr/bin/env python3
"""Compiles a program of verdicts/ and checks that each verdict of `snag active` is true.

The first lines of the program say what is expected, for each seed:

  // confirmed: KIND [TEXT]   such a candidate is confirmed (with the text in its title)
  // never: KIND              no candidate of that kind is confirmed
  // met: KIND                a failure of that kind is met on the way
  // harmful: yes|no          what is said of the races that are confirmed: of one at least, or of all
  // consequences: TEXT       of one of them at least
  // explained: yes           something happened, and what failed then is another candidate's
  // consistent: yes          no check holds that is seen to fail
  // watched: N               so many runs are watched
  // traces: N                so many are written
  // shrink: both             also with a shorter schedule of each failure
  // libs: FLAG...            for the linker
  // plugin: yes              with -DPLUGIN it is also made into ./plugin.so

The traces must replay, there must be no others, and a second call shows no failure as new, and tries nothing again of
which it is known that another candidate is the reason.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile


class Wrong(Exception):
    """Not what it should be."""


def run(command, folder):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=280, cwd=folder,
                          check=False)


def expectations(source):
    found = {}
    for line in source.read_text(encoding="utf-8").splitlines():
        match = re.match(r"// (confirmed|never|met|harmful|consequences|explained|consistent|watched|traces|shrink|libs"
                         r"|plugin): (.+)", line)
        if not match:
            break
        found.setdefault(match.group(1), []).append(match.group(2))
    return found


def active(snag, folder, program, name, seed, shrink):
    done = run([snag, "active", "--json", "--quiet", "--seed", seed, "--runs", "20", "--shrink-time", shrink, "--out", name,
                "--file", f"{name}.active", "--", program], folder)
    try:
        return done.returncode, json.loads(done.stdout)
    except json.JSONDecodeError:
        raise Wrong(f"exit code {done.returncode}, no JSON: {done.stderr}") from None


def check(result, expected):
    def expect(condition, what):
        if not condition:
            raise Wrong(f"{what}\n{json.dumps(result, indent=1)}")

    confirmed = [c for c in result["candidates"] if c["verdict"] == "confirmed"]
    races = [c for c in confirmed if c["kind"] == "race"]
    for wanted in expected.get("confirmed", []):
        kind, _, text = wanted.partition(" ")
        expect(any(c["kind"] == kind and text in c["title"] for c in confirmed), f"not confirmed: {wanted}")
    for kind in expected.get("never", []):
        expect(all(c["kind"] != kind for c in confirmed), f"confirmed: {kind}")
    for kind in expected.get("met", []):
        expect(any(f["kind"] == kind for f in result["failures"]), f"not met: {kind}")
    for word in expected.get("harmful", []):
        expect(any(c["harmful"] for c in races) == (word == "yes"), f"harmful is not: {word}")
    for text in expected.get("consequences", []):
        expect(any(text in c["consequences"] for c in races), f"not said: {text}")
    for number in expected.get("watched", []):
        expect(result["watched_runs"] == int(number), "not so many runs were watched")
    if "explained" in expected:
        expect(any(c.get("explained") for c in result["candidates"]), "nothing is explained by something else")
    if "consistent" in expected:
        expect(confirmed, "nothing was confirmed")
        for candidate in result["candidates"]:
            held = candidate["kind"] == "assertion" and candidate["verdict"] == "not reproduced"
            expect(not held, "a check is said to hold")


def traces_of(result):
    traces = {c["trace"] for c in result["candidates"] if c["verdict"] == "confirmed"}
    traces |= {c["failure_trace"] for c in result["candidates"] if "failure_trace" in c}
    return traces | {f["trace"] for f in result["failures"]}


def check_program(snag, folder, program, expected, seed, shrink):
    name = f"out-{seed}-{shrink}"
    code, result = active(snag, folder, program, name, seed, shrink)
    check(result, expected)
    if code != 1:
        raise Wrong(f"exit code {code}")
    written = {str(path.relative_to(folder)) for path in (folder / name).glob("*")}
    if written != traces_of(result):
        raise Wrong(f"traces that nobody mentions, or that are missing: {written ^ traces_of(result)}")
    if "traces" in expected and len(written) != int(expected["traces"][0]):
        raise Wrong(f"so many traces are not expected: {written}")
    for trace in written:
        replayed = run([snag, "replay", trace], folder)
        if replayed.returncode != 1:
            raise Wrong(f"{trace} does not replay: {replayed.stdout}{replayed.stderr}")
    code, again = active(snag, folder, program, name, seed + 1, shrink)
    known = {(f["kind"], f["message"], f["location"]) for f in again["failures"]}
    known &= {(f["kind"], f["message"], f["location"]) for f in result["failures"]}
    if code != 1 or known:
        raise Wrong(f"the second call (exit code {code}) shows as new: {known}")
    explained = {(c["kind"], c["title"]) for c in result["candidates"] if c.get("explained")}
    for candidate in again["candidates"]:
        if (candidate["kind"], candidate["title"]) not in explained:
            continue
        if candidate["runs"] != candidate["earlier_runs"] or not candidate.get("explained"):
            raise Wrong(f"the second call forgot the reason of {candidate}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--snag", required=True, type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("source", type=pathlib.Path)
    options = parser.parse_args()
    expected = expectations(options.source)
    if not expected:
        raise Wrong("the program expects nothing")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        snag, program = options.snag.resolve(), folder / options.source.stem
        libs = " ".join(expected.get("libs", [])).split()
        builds = [["-o", program, *libs]]
        if "plugin" in expected:
            builds.append(["-DPLUGIN", "-shared", "-fPIC", "-o", folder / "plugin.so"])
        for build in builds:
            done = run([snag, "c++", "-std=c++20", "-O1", "-g", "-pthread", options.source.resolve(), *build], folder)
            if done.returncode != 0:
                raise Wrong(f"does not compile: {done.stderr}")
        for seed in range(1, 2 * options.seeds, 2):
            for shrink in ("0", "1") if "shrink" in expected else ("0",):
                try:
                    check_program(snag, folder, program, expected, seed, shrink)
                except Wrong as wrong:
                    raise Wrong(f"seed {seed}, --shrink-time {shrink}: {wrong}") from None


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(str(wrong))
