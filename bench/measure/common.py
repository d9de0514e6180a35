"""What the parts of the benchmark share: building, searching with snag, medians, tables, results."""
import concurrent.futures
import csv
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import tempfile

# The search alone, without what else looks at a run: for figures of the engine and of the strategies.
CHECKS_OFF = ("--races=off", "--heap=off", "--lock-misuse=off", "--lock-order=off")


class Bench:
    def __init__(self, root, build, options):
        self.root = root
        self.build = build
        self.options = options
        self.quick = options.quick
        self.snag = build / "bin" / "snag"
        if not self.snag.exists():
            sys.exit(f"bench: there is no {self.snag}; run `make build`, or name the folder with --build")

    def make(self, target):
        """Builds a CMake target, unless --no-build; its output is shown only if it fails."""
        if self.options.no_build:
            return
        print(f"building {target} ...", file=sys.stderr, flush=True)
        done = subprocess.run(["cmake", "--build", str(self.build), "-j", str(self.options.jobs), "--target", target],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(f"{done.stdout}\nbench: {target} does not build")

    def save(self, part, result):
        folder = self.build / "bench"
        folder.mkdir(exist_ok=True)
        result = {"version": 1, "part": part, "quick": self.quick, "machine": machine(), **result}
        (folder / f"{part}.json").write_text(json.dumps(result, indent=1) + "\n")

    def programs(self):
        """The rows of programs.tsv that --programs leaves, as dictionaries; `bad` and `ok` are the binaries."""
        rows = read_tsv(self.root / "bench" / "programs" / "programs.tsv")
        for row in rows:
            for variant in ("bad", "ok"):
                row[variant] = self.build / "bench" / "programs" / f"{row['name']}_{variant}"
        wanted = self.options.programs or ""
        return [row for row in rows if wanted in row["name"]]

    def search(self, program, *options, patience=900, cwd=None):
        """snag run --json; the report as a dictionary, with `problem` set where there is none."""
        with tempfile.TemporaryDirectory(prefix="snag-bench.") as folder:
            command = [str(self.snag), "run", "--json", "--quiet", "--shrink-time", "0", "--out", folder, *map(str, options), "--", str(program)]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=patience,
                                      stdin=subprocess.DEVNULL, cwd=cwd)
            except subprocess.TimeoutExpired:
                return {"problem": f"no end after {patience} s", "failures": [], "runs": 0}
        try:
            report = json.loads(done.stdout)
        except ValueError:
            report = {"failures": [], "runs": 0}
        if done.returncode not in (0, 1) or "version" not in report:
            report["problem"] = f"exit {done.returncode}: {last_line(done.stderr)}"
        elif "error" in report:
            report["problem"] = report["error"]
        return report

    def in_parallel(self, tasks):
        """Runs the callables, --jobs at a time; their results in order."""
        with concurrent.futures.ThreadPoolExecutor(max(1, self.options.jobs)) as pool:
            return list(pool.map(lambda task: task(), tasks))


def read_tsv(path):
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter="\t"))


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else "nothing on standard error"


def median(values):
    """The median; infinite values are allowed, None if there are none at all."""
    values = sorted(values)
    if not values:
        return None
    middle = len(values) // 2
    if len(values) % 2:
        return values[middle]
    low, high = values[middle - 1], values[middle]
    return low if math.isinf(low) else (low + high) / 2


def number(value, digits=1):
    """12,345 for what is large, 12.3 for what is small."""
    if value is None:
        return "."
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.{digits}f}"


def table(heads, rows):
    """Prints columns: the first one left, the others right."""
    cells = [list(map(str, row)) for row in [heads, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(heads))]
    for index, row in enumerate(cells):
        line = "  ".join(text.rjust(width) if i else text.ljust(width)
                         for i, (text, width) in enumerate(zip(row, widths)))
        print(line.rstrip())
        if index == 0:
            print("  ".join("-" * width for width in widths))
    sys.stdout.flush()


def progress(text):
    """A line that replaces itself on a terminal; nothing elsewhere."""
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns - 1
        sys.stderr.write("\r" + text[:width].ljust(width) + ("\n" if not text else ""))
        sys.stderr.flush()


def machine():
    compiler = subprocess.run(["g++", "-dumpfullversion"], capture_output=True, text=True).stdout.strip()
    return {"cores": os.cpu_count(), "kernel": platform.release(), "g++": compiler,
            "load_before": round(os.getloadavg()[0], 2)}
