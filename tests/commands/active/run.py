#!/usr/bin/env python3
"""Compiles a program of bench/papers/active and checks the verdicts of `snag active`.

A program of programs/ says in its first line of what kind its bug is. It must be confirmed within 20
steered runs, its trace must replay, and the correct twin must have no report at all. In a program of
impossible/ nothing must be confirmed.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

RUNS = 20


class Wrong(Exception):
    """Not what it should be."""


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=280, check=False, **options)


def compile_program(snag, source, folder, name, *defines):
    program = folder / name
    done = run([snag, "c++", "-std=c++20", "-O1", "-g", "-pthread", *defines, str(source), "-o", str(program)])
    if done.returncode != 0:
        raise Wrong(f"does not compile: {done.stderr}")
    return program


def active(snag, program, folder, *options):
    done = run([snag, "active", "--json", "--quiet", "--runs", str(RUNS), "--shrink-time", "0", *options, "--",
                str(program)], cwd=folder)
    try:
        return done.returncode, json.loads(done.stdout)
    except json.JSONDecodeError:
        raise Wrong(f"exit code {done.returncode}, no JSON: {done.stderr}") from None


def check_clean(snag, program, folder, seed):
    code, result = active(snag, program, folder, "--seed", str(seed), "--file", f"clean-{seed}.active")
    confirmed = [c["title"] for c in result["candidates"] if c["verdict"] == "confirmed"]
    if code != 0 or confirmed or result["failures"]:
        raise Wrong(f"{program.name}, seed {seed}: a report on a correct program: {confirmed or result['failures']}")
    return result


def check_buggy(snag, program, folder, kind, seed):
    code, result = active(snag, program, folder, "--seed", str(seed), "--file", f"buggy-{seed}.active")
    confirmed = [c for c in result["candidates"] if c["verdict"] == "confirmed" and c["kind"] == kind]
    if code != 1 or not confirmed:
        told = "\n".join(f"  {c['kind']}: {c['title']}: {c.get('closest')}" for c in result["candidates"])
        raise Wrong(f"{program.name}, seed {seed}: no {kind} confirmed (exit code {code})\n{told}\n"
                    f"{json.dumps(result['failures'], indent=1)}")
    replayed = run([snag, "replay", confirmed[0]["trace"]], cwd=folder)
    if replayed.returncode != 1:
        raise Wrong(f"{program.name}, seed {seed}: the trace does not replay: {replayed.stdout}{replayed.stderr}")
    # The next call has it already, and runs nothing for it.
    code, again = active(snag, program, folder, "--seed", str(seed), "--file", f"buggy-{seed}.active")
    known = [c for c in again["candidates"] if c["title"] == confirmed[0]["title"]]
    if code != 1 or not known or known[0]["verdict"] != "confirmed" or known[0]["runs"] != confirmed[0]["runs"]:
        raise Wrong(f"{program.name}, seed {seed}: the second call does not go on where the first one stopped")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--snag", required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("source", type=pathlib.Path)
    options = parser.parse_args()
    kind = re.match(r"// kind: (\w+)", options.source.read_text(encoding="utf-8")).group(1)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if options.source.parent.name == "impossible":
            program = compile_program(options.snag, options.source, folder, "impossible")
            for seed in range(1, options.seeds + 1):
                check_clean(options.snag, program, folder, seed)
            return
        program = compile_program(options.snag, options.source, folder, "buggy")
        twin = compile_program(options.snag, options.source, folder, "twin", "-DCORRECT")
        for seed in range(1, options.seeds + 1):
            check_buggy(options.snag, program, folder, kind, seed)
            check_clean(options.snag, twin, folder, seed)


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(str(wrong))
