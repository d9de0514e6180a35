#!/usr/bin/env python3
"""Makes real reports of another tool, and lets `snag active --report` go after them.

Each race and lock order in them has to be read: they are counted here with a plain search. Each of the
programs has that bug, so each has to be confirmed, and its trace has to replay.

Usage: reports.py <snag> <folder of the study> <gcc|clang|helgrind|drd>
"""

import json
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
FLAGS = ("-std=c++20", "-O1", "-g", "-pthread")
HERE = pathlib.Path(__file__).resolve().parent
RACES = r"WARNING: ThreadSanitizer: (data race|heap-use-after-free)|Possible data race during|Conflicting (load|store) by"
LOCK_ORDERS = r"lock-order-inversion \(potential deadlock\) \(pid|lock order \".*\" violated"
# ThreadSanitizer is blind to the races of the study, on purpose: its programs order the threads by other means.
OF_TOOL = {
    "gcc": ("reported/races", "reported/freed", "deadlock_ab_ba", "deadlock_of_three", "deadlock_rwlock"),
    "clang": ("reported/races", "reported/freed", "deadlock_ab_ba", "deadlock_transfer"),
    "helgrind": ("reported/races", "race_lazy", "race_two_locks", "deadlock_ab_ba", "deadlock_of_three"),
    "drd": ("reported/races", "race_lazy", "race_object", "race_counter"),
}


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=200, check=False,
                          **options)


def expect(condition, what, *done):
    if not condition:
        sys.exit("\n".join([what, *(each.stdout + each.stderr for each in done)]))


def compiler_of(tool):
    """What can link with ThreadSanitizer; nothing: no such compiler is here."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("g++",) if tool == "gcc" else ("clang++-19", "clang++", "clang++-14"):
            try:
                done = run(name, "-fsanitize=thread", "-x", "c++", "-", "-o", f"{folder}/probe", input="int main() {}")
            except FileNotFoundError:
                continue
            if done.returncode == 0:
                return name
    return None


def report_of(tool, compiler, source, folder):
    """What the tool writes about the program, and what the program itself does."""
    program = folder / "reported"
    flags = ("-fsanitize=thread",) if compiler else ()
    done = run(compiler or "g++", *FLAGS, *flags, source, "-o", program)
    expect(done.returncode == 0, f"{source.name} does not compile", done)
    around = ("setarch", platform.machine(), "-R") if compiler else ("valgrind", f"--tool={tool}")
    done = run(*around, program)
    return done.stdout + done.stderr


def check(snag, tool, compiler, source, folder):
    text = report_of(tool, compiler, source, folder)
    counts = [len(re.findall(pattern, text)) for pattern in (RACES, LOCK_ORDERS)]
    expect(sum(counts) > 0, f"{tool} has nothing to say about {source.name}: {text}")
    (folder / "report.txt").write_text(text)
    program = folder / "program"
    done = run(snag, "c++", *FLAGS, source, "-o", program)
    expect(done.returncode == 0, f"{source.name} does not compile", done)
    done = run(snag, "active", "--report", "report.txt", "--json", "--quiet", "--seed", "1", "--shrink-time", "0",
               "--file", "verdicts", "--", program, cwd=folder)
    expect(done.returncode == 1, f"{source.name}: exit code {done.returncode}\n{text}", done)
    result = json.loads(done.stdout)
    report = result["report"]
    expect([report["races"], report["lock_orders"]] == counts,
           f"{source.name}: {counts} were reported, and {report} was read\n{text}")
    for entry in report["entries"]:
        told = text.splitlines()[entry["line"] - 1]
        expect(re.search(RACES if entry["kind"] == "race" else LOCK_ORDERS, told), f"{entry} is not at '{told}'")
        expect(entry["verdict"] == "confirmed", f"{source.name}, line {entry['line']}: {entry}\n{text}", done)
    traces = {candidate["trace"] for candidate in result["candidates"]}
    for trace in traces:
        replayed = run(snag, "replay", trace, cwd=folder)
        expect(replayed.returncode == 1, f"{trace} of {source.name} does not replay", replayed)


def main():
    snag, study = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    tool = sys.argv[3]
    compiler = compiler_of(tool) if tool in ("gcc", "clang") else None
    if tool in ("gcc", "clang") and not compiler:
        print("no compiler that links with -fsanitize=thread: skipped")
        sys.exit(SKIPPED)
    for name in OF_TOOL[tool]:
        source = HERE / f"{name}.cc" if "/" in name else study / "programs" / f"{name}.cc"
        with tempfile.TemporaryDirectory() as folder:
            check(snag, tool, compiler, source, pathlib.Path(folder))


if __name__ == "__main__":
    main()
