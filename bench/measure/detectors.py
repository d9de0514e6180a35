"""The programs of tests/programs/races and heap: what is intended, what Snag says, what the compiler's sanitizer says.

Each program is built twice with the same compiler and flags, by `snag c++` and with the sanitizer, and both binaries are
used in the same measurement: Snag with a number of schedules, the sanitizer natively with one run.
"""
import os
import re
import subprocess
import sys

from measure.common import progress, table
from program_checks import Header

STANDARD = {".c": "-std=gnu11", ".cc": "-std=c++20"}
FLAGS = ["-O1", "-g", "-UNDEBUG", "-pthread"]
NATIVE_PATIENCE = 60


class Suite:
    def __init__(self, bench, name, sanitizer, tool, snag_options):
        self.bench = bench
        self.name = name            # of the folder in tests/programs/
        self.sanitizer = sanitizer  # -fsanitize=...
        self.tool = tool            # as the sanitizer calls itself
        self.snag_options = snag_options
        self.runs = bench.options.runs or (60 if bench.quick else 300)

    def measure(self):
        programs = self.programs()
        done = []

        def row(program):
            result = {"program": program.name_in_suite, "intended": program.intended, **self.look_at(program)}
            done.append(program)
            progress(f"{len(done)} of {len(programs)}: {program.name_in_suite}")
            return result

        rows = self.bench.in_parallel([lambda program=program: row(program) for program in programs])
        progress("")
        tools = ("snag", self.sanitizer)
        heads = ["program", "intended", "Snag", self.tool]
        lines = [[row["program"], row["intended"], row["snag"], row[self.sanitizer]] for row in rows]
        counts = {tool: count(rows, tool) for tool in tools}
        count_heads = ["", "found", "missed", "false", "failed"]
        count_lines = [[name, *(f"{counts[tool][what]} of {counts[tool][whole]}" for what, whole in
                                (("found", "bad"), ("missed", "bad"), ("false", "clean"), ("failed", "all")))]
                       for name, tool in zip(heads[2:], tools)]
        table(heads, lines)
        print()
        table(count_heads, count_lines)
        print(f"Snag: at most {self.runs} schedules, seed 1; {self.tool}: one native run")
        self.write_markdown((count_heads, count_lines), (heads, lines))
        self.bench.save(self.name, {"runs": self.runs, "counts": counts, "results": rows})
        return problems(rows)

    def programs(self):
        folder = self.bench.root / "tests" / "programs" / self.name
        wanted = self.bench.options.programs or ""
        found = [Program(path) for path in folder.glob("*/*.c*")]
        # A broken program and the correct one side by side.
        return sorted((program for program in found if wanted in program.name_in_suite),
                      key=lambda program: (program.path.stem, program.is_clean))

    def look_at(self, program):
        folder = self.bench.build / "bench" / self.name
        ours, theirs = (folder / tool / program.path.parent.name / program.path.stem for tool in ("snag", self.sanitizer))
        language = "cc" if program.path.suffix == ".c" else "c++"
        self.build([str(self.bench.snag), language], program, ours)
        self.build([{"cc": "gcc", "c++": "g++"}[language], f"-fsanitize={self.sanitizer}"], program, theirs)
        report = self.bench.search(ours, "--seed", 1, "--runs", self.runs, *self.snag_options)
        return {"snag": snag_verdict(report), "snag_runs": report["runs"], "snag_problem": report.get("problem"),
                self.sanitizer: self.native_verdict(theirs)}

    def build(self, compiler, program, binary):
        """Compiles, unless --no-build; always, because the runtime that Snag links may have changed."""
        if self.bench.options.no_build and binary.exists():
            return
        binary.parent.mkdir(parents=True, exist_ok=True)
        command = [*compiler, STANDARD[program.path.suffix], *FLAGS, "-w", str(program.path), *program.flags,
                   "-o", str(binary)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{done.stderr}\nbench: {program.path} does not build")

    def native_verdict(self, binary):
        """What the sanitizer prints in one run."""
        # Leaks are no part of the question, and an allocation that fails is no error.
        environment = dict(os.environ, TSAN_OPTIONS="", ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1")
        try:
            done = subprocess.run([str(binary)], capture_output=True, text=True, errors="replace", env=environment,
                                  stdin=subprocess.DEVNULL, timeout=NATIVE_PATIENCE)
        except subprocess.TimeoutExpired:
            return "hangs"
        report = re.search(rf"(?:WARNING|ERROR): {self.tool}: (.*)", done.stderr)
        if report is None:
            return "-" if done.returncode == 0 else f"exit {done.returncode}"
        text = report.group(1)
        if "SEGV on" in text:
            return "crash"
        # Both name the kind first; what follows is an address or a remark in parentheses.
        kind = re.split(r" \(| on | in |: | 0x", text)[0].removeprefix("attempting ")
        return {"free": "bad-free"}.get(kind, kind)

    def write_markdown(self, *tables):
        if self.bench.options.markdown is None:
            return
        with open(self.bench.options.markdown, "a", encoding="utf-8") as file:
            file.write(f"### {self.name}\n\n")
            for heads, lines in tables:
                for cells in [heads, ["---"] * len(heads), *lines]:
                    file.write("| " + " | ".join(cells) + " |\n")
                file.write("\n")


class Program:
    def __init__(self, path):
        header = Header(path)
        self.path = path
        self.is_clean = header.is_clean
        self.intended = "-" if header.is_clean else header.wanted
        self.flags = header.flags
        self.name_in_suite = f"{path.parent.name}/{path.name}"


def snag_verdict(report):
    if "problem" in report:
        return "error"
    return ", ".join(sorted({failure["kind"] for failure in report["failures"]})) or "-"


# What counts as found by ThreadSanitizer, which also reports misuse of mutexes. In the programs for AddressSanitizer
# there is one error each, and any report is right.
THREAD_KINDS = {"data race", "heap-use-after-free"}
# No report: the tool, or the program under it, has failed.
FAILED = re.compile(r"error|crash|hangs|exit \d+")


def is_found(row, tool):
    if tool == "snag":
        return bool(set(row[tool].split(", ")) & set(row["intended"].split(" or ")))
    if tool == "thread":
        return row[tool] in THREAD_KINDS
    return row[tool] != "-" and not FAILED.fullmatch(row[tool])


def count(rows, tool):
    bad = [row for row in rows if row["intended"] != "-"]
    clean = [row for row in rows if row["intended"] == "-"]
    failed = [row for row in rows if FAILED.fullmatch(row[tool])]
    found = [row for row in bad if is_found(row, tool)]
    false = [row for row in clean if row[tool] != "-" and row not in failed]
    return {"found": len(found), "missed": len(bad) - len(found), "bad": len(bad), "false": len(false),
            "clean": len(clean), "failed": len(failed), "all": len(rows)}


def problems(rows):
    """Where Snag is wrong. What the sanitizer says is not judged."""
    wrong = []
    for row in rows:
        if row["snag_problem"]:
            wrong.append(f"{row['program']}: {row['snag_problem']}")
        elif not set(row["snag"].split(", ")) <= set(row["intended"].split(" or ")):
            wrong.append(f"{row['program']}: Snag says {row['snag']}, intended is {row['intended']}")
    return wrong
