"""Programs that say in their first lines what Snag must report about them.

    // Expect: clean            or a failure kind, or several joined by '|' where each is right
    // Flags: -mcx16            extra compiler options
    // Library: ./plugin.so     the same file, compiled with -DLIBRARY, as a shared library for dlopen
    // Run: --runs 5000         extra options of `snag run`, which replace the script's defaults
    // Warns: lock-order        a warning that must be given; without this, a clean program has none
    // Switches: 3              the upper limit for the switches of the schedule that is shown

Used by the scripts of tests/programs, and by scripts/bench.
"""

import pathlib
import re
import shlex

from snagtest import Failure, expect, run, text_of

TABLE = pathlib.Path(__file__).resolve().parents[2] / "protocol" / "failure_kinds.h"
# Those that a program under test can have by itself.
KINDS = set(re.findall(r'X\(k\w+, "([\w-]+)"', TABLE.read_text(encoding="utf-8"))) - {
    "none", "reported", "internal", "unsupported"}
HEADER = re.compile(r"//\s*(Expect|Flags|Library|Run|Warns|Switches):\s*(.*?)\s*$")


class Header:
    """The first lines of a program."""

    def __init__(self, path):
        fields = {}
        for line in path.read_text(encoding="utf-8").splitlines():
            match = HEADER.match(line)
            if not match:
                break
            fields[match.group(1)] = match.group(2)
        expect("Expect" in fields, f"{path.name} has no '// Expect:' on its first line")
        listed = [kind.strip() for kind in fields["Expect"].split("|")]
        self.kinds = set(listed)
        self.wanted = " or ".join(listed)
        self.is_clean = self.kinds == {"clean"}
        expect(self.is_clean or self.kinds <= KINDS, f"{path.name} has an unknown kind in 'Expect: {fields['Expect']}'")
        self.flags = shlex.split(fields.get("Flags", ""))
        self.library = fields.get("Library")
        self.options = option_map(shlex.split(fields.get("Run", "")))
        self.warnings = set(fields.get("Warns", "").split())
        self.max_switches = int(fields["Switches"]) if "Switches" in fields else None


def compile_program(test, path, header):
    """The program, and the library that it loads, with the compiler and the level that the script was given."""
    settings = {"compiler": test.options.compiler, "opt": test.options.opt}
    if header.library:
        test.compile(path, header.library, *header.flags, "-DLIBRARY", "-shared", "-fPIC", **settings)
    return test.compile(path, path.stem, *header.flags, **settings)


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


def option_words(options):
    """The inverse of option_map()."""
    return [word for option in options.items() for word in option if word is not None]


def report_of(result):
    """The report that a command has printed with --json; an error if its parts disagree."""
    report = result.json()
    expect(isinstance(report, dict) and report.get("version") == 1, "the report's version is not 1", result)
    expect(report.get("exit") == result.code, f"exit code {result.code}, but the report says {report.get('exit')}", result)
    failures = report.setdefault("failures", [])
    expect((result.code == 1) == bool(failures), f"exit code {result.code} with {len(failures)} failures", result)
    expect(all(failure.get("kind") for failure in failures), "a failure without a kind", failures)
    return report


def search(snag, program, options, *words):
    """Runs `snag run` with the options {name: value}; its report and its Result."""
    result = run(snag, "run", "--json", *option_words(options), *words, "--", program, code=(0, 1))
    return report_of(result), result


def check_clean(report, result):
    for failure in report["failures"]:
        raise Failure(f"false report: {failure['kind']}: {failure.get('message', '')}\n{text_of(result)}")


def check_kinds(report, result, header):
    """At least one failure, and each of an expected kind."""
    expect(report["failures"], f"{header.wanted} not found in {report.get('runs')} runs", result)
    for failure in report["failures"]:
        expect(failure["kind"] in header.kinds,
               f"{failure['kind']} instead of {header.wanted}: {failure.get('message', '')}", result)


def check_replay(snag, failure):
    """The trace of a failure must fail in the same way."""
    expect(failure.get("trace"), "a failure without a trace", failure)
    result = run(snag, "replay", "--json", failure["trace"], code=(0, 1))
    failures = report_of(result)["failures"]
    expect(failures, "the replay does not fail", result)
    expect(failures[0]["kind"] == failure["kind"], f"{failure['kind']} replays as {failures[0]['kind']}", result)


def marked_lines(path, kinds):
    """The numbers of the lines that end in a comment "// race" or "// heap"."""
    marks = tuple(f"// {kind}" for kind in kinds)
    return {number for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
            if line.rstrip().endswith(marks)}


def check_places(path, failure):
    """Each access that a race or a heap error names must have a marked line in its stack."""
    marked = marked_lines(path, ("race", "heap"))
    if "race" in failure:
        accesses = [race.get(name) for race in [failure["race"], *failure.get("other_places", [])]
                    for name in ("first", "second")]
    else:
        accesses = [failure["heap"].get("access")] if "heap" in failure else []
    for access in accesses:
        expect(isinstance(access, dict) and "stack" in access, "an access without a stack", access)
        lines = [frame.get("line") for frame in access["stack"]
                 if pathlib.Path(frame.get("file") or "").name == path.name]
        expect(marked & set(lines), f"the access at {path.name}:{lines} is at none of the marked lines {sorted(marked)}")


def declare_detector_options(option):
    option("--compiler", default="g++", help="g++ or clang++-19, given to the wrapper as SNAG_CXX and SNAG_CC")
    option("--opt", default="-O1", help="as --opt=-O2")
    option("--runs", type=int)
    option("--seed", type=int, default=1)
    option("--option", action="append", metavar="--NAME=VALUE",
           help="options of `snag run` in place of those that switch the detector on")
    option("--replay", action="store_true", help="also replay what was found")


def check_detector(test, path, runs, detector_options):
    """What a detector says about a program: on a clean one nothing, on the others what the header expects, at the marked
    lines."""
    header = Header(path)
    program = compile_program(test, path, header)
    options = {"--seed": str(test.options.seed), "--runs": str(test.options.runs or runs["clean" if header.is_clean else
                                                                                        "bad"]), "--out": "traces"}
    if test.options.option is None:
        options.update(detector_options)
    options.update(header.options)
    report, result = search(test.snag_path, program, options, "--quiet", *(test.options.option or []))
    if header.is_clean:
        check_clean(report, result)
        test.note = f"clean, {report.get('runs')} runs"
        return
    check_kinds(report, result, header)
    for failure in report["failures"]:
        check_places(path, failure)
    if test.options.replay:
        check_replay(test.snag_path, report["failures"][0])
    test.note = f"{report['failures'][0]['kind']} in run {report['failures'][0].get('runs')}"
