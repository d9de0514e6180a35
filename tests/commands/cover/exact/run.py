#!/usr/bin/env python3
"""Compiles the programs of tests/commands/cover/exact/programs and compares, for every metric, what they record with what the
full trace of the same run says (see check.cc). Exit 1 if anything differs.

    run.py --snag build/bin/snag --check build/unit/cover_exact [--schedules 20] [program.cc ...]
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"


def compile_program(snag, source, folder, compiler="g++", opt="-O1"):
    """The binary, or None with what the compiler said on standard error."""
    binary = pathlib.Path(folder) / source.stem
    command = [str(snag), "c++", opt, "-g", "-std=c++20", "-pthread", str(source), "-o", str(binary)]
    done = subprocess.run(command, env={**os.environ, "SNAG_CXX": compiler}, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        print(f"{source.name} does not compile with {compiler} {opt}:\n{done.stderr}", file=sys.stderr)
        return None
    return binary


def compare(check, binary, schedules, seed):
    """The checker's row of numbers, or None; and what it found to differ."""
    command = [str(check), "--schedules", str(schedules), "--seed", str(seed), str(binary)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode in (0, 1) and rows:
        return rows[0], done.stderr
    return None, done.stderr or f"{binary.name}: the checker ended with {done.returncode}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    parser.add_argument("--snag", required=True)
    parser.add_argument("--check", required=True)
    parser.add_argument("--schedules", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compiler", default="g++", help="g++ or clang++-19")
    parser.add_argument("--opt", default="-O1", help="as --opt=-O2")
    args = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="snag-exact.") as folder:
        for source in args.programs or sorted(PROGRAMS.glob("*.cc")):
            binary = compile_program(args.snag, source, folder, args.compiler, args.opt)
            row, differences = compare(args.check, binary, args.schedules, args.seed) if binary else (None, "")
            print(json.dumps(row) if row else f"{source.stem}: not compared", flush=True)
            if differences:
                print(differences, file=sys.stderr, flush=True)
            wrong += row is None or row["differences"] != 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
