#!/usr/bin/env python3
"""Compiles and runs the end-to-end programs and checks what snag reports about them.

Each program says in its first lines what must happen:

    // Expect: clean            or a failure kind, or several joined by '|' where each is right
    // Flags: -mcx16            extra compiler options
    // Run: --runs 5000         extra options of `snag run`, which replace this script's defaults
    // Warns: lock-order        a warning that must be given; without this, a clean program has none
    // Switches: 3              the schedule that is shown has no more switches than that

A clean program must exit 0 under every schedule. In the others a failure of the expected kind must
be found, and `snag replay` of its trace must fail in the same way. Options given here win over the
header.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TABLE = (HERE.parent.parent / "protocol" / "failure_kinds.h").read_text(encoding="utf-8")
KINDS = set(re.findall(r'X\(k\w+, "([\w-]+)"', TABLE)) - {"none", "reported", "internal", "unsupported"}
RUNS = {"clean": 200, "finds": 2000}
HEADER = re.compile(r"//\s*(Expect|Flags|Run|Warns|Switches):\s*(.*?)\s*$")


class Wrong(Exception):
    """The program did not behave as its header says."""


def read_header(path):
    """The header's fields; an error if it is missing or names an unknown kind."""
    fields = {"Flags": "", "Run": "", "Warns": "", "Switches": "1000000000"}
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = HEADER.match(line)
            if not match:
                break
            fields[match.group(1)] = match.group(2)
    if "Expect" not in fields:
        raise Wrong("no '// Expect:' on the first line")
    kinds = {kind.strip() for kind in fields["Expect"].split("|")}
    if kinds != {"clean"} and not kinds <= KINDS:
        raise Wrong(f"unknown kind in 'Expect: {fields['Expect']}'")
    return (kinds, shlex.split(fields["Flags"]), shlex.split(fields["Run"]), set(fields["Warns"].split()),
            int(fields["Switches"]))


def option_map(words):
    """['--runs', '5', '--flag', '--x=1'] as {'--runs': '5', '--flag': None, '--x': '1'}."""
    options, position = {}, 0
    while position < len(words):
        name, equals, value = words[position].partition("=")
        position += 1
        if not equals:
            value = None
            if position < len(words) and not words[position].startswith("--"):
                value = words[position]
                position += 1
        options[name] = value
    return options


def call(command, timeout, env=None):
    """Runs a command in a session of its own, so that a timeout ends its children as well."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="replace", env=env,
                               start_new_session=True)
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        raise Wrong(f"no end after {timeout} s: {shlex.join(command)}") from None
    return process.returncode, out, err


def tail(text, lines=12):
    return "\n".join(text.strip().splitlines()[-lines:])


def compile_program(args, path, flags, binary):
    language = "cc" if path.suffix == ".c" else "c++"
    c_compiler = args.compiler.replace("clang++", "clang").replace("g++", "gcc")
    env = dict(os.environ, SNAG_CXX=args.compiler, SNAG_CC=c_compiler)
    standard = "-std=gnu11" if language == "cc" else "-std=c++20"
    # The source first: libraries among the flags must follow it.
    command = [args.snag, language, standard, args.opt, "-g", "-UNDEBUG", "-pthread", str(path),
               *flags, "-o", binary]
    code, out, err = call(command, args.timeout, env)
    if code != 0:
        raise Wrong(f"does not compile ({code}): {shlex.join(command)}\n{tail(out + err)}")


def parse_report(out, err, command):
    try:
        report = json.loads(out)
    except json.JSONDecodeError as error:
        raise Wrong(f"no JSON object on stdout ({error}): {shlex.join(command)}\n"
                    f"{tail(out)}\n{tail(err)}") from None
    if not isinstance(report, dict) or report.get("version") != 1:
        raise Wrong(f"the report's version is not 1: {tail(out)}")
    return report


def failures_of(report, exit_code, command, err):
    """The failures of a report whose parts agree with each other."""
    failures = report.get("failures", [])
    if report.get("exit") != exit_code:
        raise Wrong(f"exit code {exit_code}, but the report says {report.get('exit')}: "
                    f"{shlex.join(command)}\n{tail(err)}")
    if exit_code not in (0, 1) or (exit_code == 1) != bool(failures):
        raise Wrong(f"exit code {exit_code} with {len(failures)} failures: {shlex.join(command)}\n"
                    f"{tail(err)}")
    if not all(failure.get("kind") for failure in failures):
        raise Wrong(f"a failure without a kind: {failures}")
    return failures


def check_replay(args, failure):
    if not failure.get("trace"):
        raise Wrong(f"a failure without a trace: {failure}")
    command = [args.snag, "replay", "--json", failure["trace"]]
    code, out, err = call(command, args.timeout)
    failures = failures_of(parse_report(out, err, command), code, command, err)
    if not failures:
        raise Wrong(f"the replay does not fail: {shlex.join(command)}")
    if failures[0]["kind"] != failure["kind"]:
        raise Wrong(f"{failure['kind']} replays as {failures[0]['kind']}: {shlex.join(command)}")


def check_program(args, path, folder):
    """Compiles, runs and replays one program; returns a short text for its row."""
    kinds, flags, header_options, warned, max_switches = read_header(path)
    clean = kinds == {"clean"}
    binary = str(folder / path.stem)
    compile_program(args, path, flags, binary)

    options = {"--seed": "1", "--runs": str(RUNS["clean" if clean else "finds"]),
               "--strategy": "mix", "--backend": "user"}
    options.update(option_map(header_options))
    for name in ("runs", "seed", "strategy", "backend"):
        if getattr(args, name) is not None:
            options["--" + name] = str(getattr(args, name))
    words = [word for option in options.items() for word in option if word is not None]
    command = [args.snag, "run", "--json", "--out", str(folder / "traces"), *words, "--", binary]
    code, out, err = call(command, args.timeout)
    report = parse_report(out, err, command)
    failures = failures_of(report, code, command, err)
    # Most of the bugs come with a data race; what is expected is what they lead to.
    if not clean and "race" not in kinds:
        failures = [failure for failure in failures if failure["kind"] != "race"]

    if clean:
        if failures:
            first = failures[0]
            raise Wrong(f"false report: {first['kind']}: {first.get('message', '')}\n"
                        f"{shlex.join(command)}\n{tail(err)}")
        warnings = {warning["kind"]: warning["message"] for warning in report.get("warnings", [])}
        if warnings.keys() != warned:
            raise Wrong(f"warnings {warnings} instead of {sorted(warned)}: {shlex.join(command)}")
        return f"clean, {report.get('runs')} runs"
    wanted = " or ".join(sorted(kinds))
    if not failures:
        raise Wrong(f"{wanted} not found in {report.get('runs')} runs: {shlex.join(command)}")
    for failure in failures:
        if failure["kind"] not in kinds:
            raise Wrong(f"{failure['kind']} instead of {wanted}: {failure.get('message', '')}\n"
                        f"{shlex.join(command)}")
        if failure["switches"] > max_switches:
            raise Wrong(f"{failure['switches']} switches, and {max_switches} are enough: "
                        f"{shlex.join(command)}")
        check_replay(args, failure)
    return f"{failures[0]['kind']}, {report.get('runs')} runs, replayed"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", type=pathlib.Path,
                        help="sources or folders (default: all)")
    parser.add_argument("--snag", default=str(HERE.parent.parent / "build" / "bin" / "snag"))
    parser.add_argument("--compiler", default="g++",
                        help="g++ or clang++-19, given to the wrapper as SNAG_CXX and SNAG_CC")
    parser.add_argument("--opt", default="-O1", help="as --opt=-O2")
    parser.add_argument("--backend", choices=("user", "futex"))
    parser.add_argument("--strategy")
    parser.add_argument("--runs", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--timeout", type=float, default=120, help="seconds for each command")
    parser.add_argument("--keep", type=pathlib.Path, help="leave binaries and traces here")
    return parser.parse_args()


def sources(programs):
    for path in programs or [HERE / "clean", HERE / "finds"]:
        if path.is_dir():
            yield from sorted(p for p in path.iterdir() if p.suffix in (".c", ".cc"))
        else:
            yield path


def check_all(args, programs, check):
    """Calls check(args, path, folder) for each program and prints a row for it; the exit code."""
    args.snag = os.path.abspath(shutil.which(args.snag) or args.snag)
    if not os.access(args.snag, os.X_OK):
        sys.exit(f"no snag at {args.snag}")
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="snag-test-") as temporary:
        root = args.keep.resolve() if args.keep else pathlib.Path(temporary)
        for path in programs:
            name = "/".join(path.resolve().parts[-3:])
            folder = root / name.replace("/", "-").replace(".", "-")
            (folder / "traces").mkdir(parents=True, exist_ok=True)
            start = time.monotonic()
            try:
                text = check(args, path, folder)
                passed += 1
                verdict = "ok  "
            except Wrong as wrong:
                text = str(wrong)
                failed += 1
                verdict = "FAIL"
            print(f"{verdict} {name:45} {time.monotonic() - start:6.1f} s  {text}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    args = parse_arguments()
    return check_all(args, sources(args.programs), check_program)


if __name__ == "__main__":
    sys.exit(main())
