#!/usr/bin/env python3
"""Compiles and runs the programs of tests/programs/races and tests/programs/heap, and checks what the detectors say.

The first lines of a program are as in tests/programs (see run.py):

    // Expect: race             or heap, or both joined by '|' where each is right; or clean
    // Flags: -mcx16            extra compiler options
    // Run: --runs 500          extra options of `snag run`, which replace this script's defaults

A clean program must exit 0 under every schedule, with nothing reported. In the others a failure of
the expected kind must be found, and nothing of any other kind. Lines of a program that end in
"// race" or "// heap" are those that may be meant: if the report names the accesses with their
stacks, each of a race, and that of a heap error, must have such a line in it.
"""

import argparse
import pathlib
import shlex
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))
import run as e2e  # noqa: E402
from run import Wrong  # noqa: E402

KINDS = ("race", "heap")
e2e.KINDS.update(KINDS)
# Most of the races are there in every schedule; a few need one that is not the first.
RUNS = {"race": 300, "heap": 300, "clean": 60}
# What is switched on for which folder. The other detector's programs do not count there: where one
# thread frees what another one uses, there is a race, too.
OPTIONS = {"races": {"--races": "report", "--shrink-time": "0"}, "heap": {"--races": "off", "--shrink-time": "0"}}


def marked_lines(path):
    """The numbers of the lines that the report may name."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {number for number, line in enumerate(lines, 1)
            if line.rstrip().endswith(tuple(f"// {kind}" for kind in KINDS))}


def accesses_of(failure):
    """The accesses that a failure names: two of a race, one of a heap error; none if it has none."""
    if "race" in failure:
        return [failure["race"].get(name) for name in ("first", "second")]
    return [failure["heap"].get("access")] if "heap" in failure else []


def check_places(path, failure):
    marked = marked_lines(path)
    for access in accesses_of(failure):
        if not isinstance(access, dict) or "stack" not in access:
            raise Wrong(f"an access without a stack: {access}")
        lines = [frame.get("line") for frame in access["stack"]
                 if pathlib.Path(frame.get("file") or "").name == path.name]
        if not marked & set(lines):
            raise Wrong(f"the access at {path.name}:{lines} is at none of the marked lines "
                        f"{sorted(marked)}")


def search(args, path, binary, folder, kinds, header_options):
    """One `snag run`; its report and its failures."""
    suite = path.resolve().parent.parent.name
    options = {"--seed": str(args.seed), "--runs": str(args.runs or RUNS[sorted(kinds)[-1]])}
    if args.option is None:
        options.update(OPTIONS.get(suite, {}))
    options.update(e2e.option_map(header_options))
    words = [word for option in options.items() for word in option if word is not None]
    words += args.option or []
    command = [args.snag, "run", "--json", "--quiet", "--out", str(folder / "traces"), *words, "--",
               binary]
    code, out, err = e2e.call(command, args.timeout)
    if code not in (0, 1):
        raise Wrong(f"exit code {code}: {shlex.join(command)}\n{e2e.tail(err)}")
    report = e2e.parse_report(out, err, command)
    return report, e2e.failures_of(report, code, command, err), shlex.join(command)


def check_program(args, path, folder):
    """Compiles and runs one program; returns a short text for its row."""
    kinds, flags, header_options = e2e.read_header(path)[:3]
    binary = str(folder / path.stem)
    e2e.compile_program(args, path, flags, binary)
    report, failures, command = search(args, path, binary, folder, kinds, header_options)
    if kinds == {"clean"}:
        if failures:
            first = failures[0]
            raise Wrong(f"false report: {first['kind']}: {first.get('message', '')}\n{command}")
        return f"clean, {report.get('runs')} runs"
    wanted = " or ".join(sorted(kinds))
    if not failures:
        raise Wrong(f"{wanted} not found in {report.get('runs')} runs: {command}")
    for failure in failures:
        if failure["kind"] not in kinds:
            raise Wrong(f"{failure['kind']} instead of {wanted}: {failure.get('message', '')}\n"
                        f"{command}")
        check_places(path, failure)
    if args.replay:
        e2e.check_replay(args, failures[0])
    return f"{failures[0]['kind']} in run {failures[0].get('runs')}"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", type=pathlib.Path,
                        help="sources or folders (default: all of races and heap)")
    parser.add_argument("--snag", default=str(HERE.parent.parent / "build" / "bin" / "snag"))
    parser.add_argument("--compiler", default="g++",
                        help="g++ or clang++-19, given to the wrapper as SNAG_CXX and SNAG_CC")
    parser.add_argument("--opt", default="-O1", help="as --opt=-O2")
    parser.add_argument("--runs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", metavar="--NAME=VALUE",
                        help="options of `snag run` in place of those that switch the detectors on")
    parser.add_argument("--replay", action="store_true", help="also replay what was found")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for each command")
    parser.add_argument("--keep", type=pathlib.Path, help="leave binaries and traces here")
    return parser.parse_args()


def sources(programs):
    for path in programs or [HERE / "races", HERE / "heap"]:
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix in (".c", ".cc"))
        else:
            yield path


def main():
    args = parse_arguments()
    return e2e.check_all(args, sources(args.programs), check_program)


if __name__ == "__main__":
    sys.exit(main())
