#!/usr/bin/env python3
"""What is said when nobody can go on, word for word: tests/baselines/stuck.

Usage: stuck.py <stuck_cases program> <folder of baselines>. With SNAG_APPROVE=1 writes them anew."""
import os
import pathlib
import subprocess
import sys

SECONDS = 60  # for a case; all are over at once unless Snag hangs


def said_by(program, case):
    # A way to end: the exit code, and what was said. The time limit is far away: it must not be what ends them.
    environment = dict(os.environ, SNAG_SCHEDULE_TIMEOUT="1000")
    run = subprocess.run([program, case], capture_output=True, text=True, timeout=SECONDS, env=environment)
    end = f"exit code {run.returncode}" if run.returncode >= 0 else f"signal {-run.returncode}"
    return f"{run.stdout}{run.stderr}{end}\n"


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    cases = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    approve = os.environ.get("SNAG_APPROVE") == "1"
    folder.mkdir(exist_ok=True)
    wrong = 0
    for case in cases:
        said = said_by(program, case)
        file = folder / f"{case}.txt"
        if approve:
            file.write_text(said)
        elif not file.exists() or file.read_text() != said:
            wrong += 1
            print(f"{case}: expected {file}, but it says\n{said}")
    left = {file.stem for file in folder.glob("*.txt")} - set(cases)
    if left:
        print("no case is called", *sorted(left))
    print(f"{len(cases)} cases, {wrong} differ")
    return 1 if wrong or left else 0


sys.exit(main())
