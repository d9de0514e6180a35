#!/usr/bin/env python3
"""Compares the failures of real programs with approved texts: tables.py <snag> <examples> <baselines>.

Each program is compiled and searched with a fixed seed. What depends on the machine is replaced: addresses, folders and
times. With SNAG_APPROVE in the environment the texts are written instead (scripts/approve).
"""

import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Baseline -> program and options: one for each kind of bug. A program with a data race shows the race and also what comes
# of it: the options choose one of them.
PROGRAMS = {
    "lost-update": ("account", ["--races=off"]),
    "check-then-act": ("tickets", []),
    "deadlock": ("deadlock", []),
    "lost-wakeup": ("lost_wakeup", []),
    "race": ("statistics", ["--races=fail"]),
    "use-after-free": ("pool", ["--races=off"]),
    # In programs/: what reports once got wrong.
    "neighbours": ("neighbours", []),
    "double-free": ("double_free", ["--races=off"]),
    "freed-while-used": ("freed_while_used", ["--races=off"]),
    "wrong-unlock": ("wrong_unlock", []),
    "freed-lock": ("freed_lock", []),
    "reader-deadlock": ("reader_deadlock", []),
    "self-deadlock": ("self_deadlock", []),
    "one-line": ("one_line", ["--runs", "200"]),
    "named-threads": ("named_threads", []),
    "look-and-act": ("look_and_act", []),
}
OWN = pathlib.Path(__file__).resolve().parent / "programs"


def call(command, folder, wanted):
    """Standard output of a command that must end with the code `wanted`."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG"))}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120)
    if done.returncode != wanted:
        sys.exit(f"exit code {done.returncode} instead of {wanted}: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def normalised(text):
    # The summary has its own tests.
    text = re.split(r"\n\n\d+ (?:different )?failures? in ", text)[0] + "\n"
    text = re.sub(r"0x[0-9a-f]{6,}", "0x...", text)
    text = re.sub(r"(?<=\| )\S*/(?=\w+\.cc:)", "", text)
    return re.sub(r"after [\d,]+ runs?", "after N runs", text)


def report(snag, source, options, folder):
    program = source.stem
    call([snag, "c++", "-std=c++20", "-O1", "-g", str(source), "-o", program], folder, 0)
    # (A long time to shrink: on a busy machine the usual one may be up before the end.)
    command = [snag, "run", "--quiet", "--seed", "1", "--shrink-time", "60", *options, "--", f"./{program}"]
    found = normalised(call(command, folder, 1))
    trace = re.search(r"^to see it again: +snag replay (\S+)$", found, re.MULTILINE)
    if not trace:
        sys.exit(f"{program}: no command to see it again\n{found}")
    again = normalised(call([snag, "replay", trace.group(1)], folder, 1))
    begin = found.index("what happened")
    table = found[begin:found.index("\n\n", found.index("\n\n", begin) + 2)]
    if table not in again:
        sys.exit(f"{program}: the replay shows another table\n{again}")
    return found


def main():
    snag, examples, baselines = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    wrong = 0
    for name, (program, options) in PROGRAMS.items():
        with tempfile.TemporaryDirectory(prefix="snag-tables-") as folder:
            own = OWN / f"{program}.cc"
            text = report(str(snag), own if own.exists() else examples / f"{program}.cc", options, folder)
        path = baselines / f"{name}.txt"
        if os.environ.get("SNAG_APPROVE"):
            path.write_text(text, encoding="utf-8")
            continue
        approved = path.read_text(encoding="utf-8") if path.exists() else ""
        difference = list(difflib.unified_diff(approved.splitlines(), text.splitlines(), str(path), "now", lineterm=""))
        if difference:
            wrong += 1
            print("\n".join(difference), "\nif this is as it should be: scripts/approve")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
