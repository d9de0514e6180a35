"""The correct programs of tests/programs: no schedule of any of them may be reported."""
import pathlib
import tempfile

from measure.common import number, progress, table
from program_checks import Header, option_words
from snagtest import compile_program

PATIENCE = 300  # seconds for the schedules of one program
SUITES = ("clean", "races/clean", "heap/clean")


def measure(bench):
    bench.make("snag_product")
    runs = bench.options.runs or (500 if bench.quick else 10_000)
    wanted = bench.options.programs or ""
    sources = [path for suite in SUITES for path in sorted((bench.root / "tests" / "programs" / suite).glob("*.c*"))
               if wanted in path.stem]
    done = []

    def row(path):
        result = search(bench, path, runs)
        done.append(path)
        progress(f"{len(done)} of {len(sources)}: {path.stem}")
        return result

    rows = bench.in_parallel([lambda path=path: row(path) for path in sources])
    progress("")
    table(["program", "schedules", "a second", "reported"],
          [[row["program"], number(row["runs"]), number(row["runs_per_second"], 0), row["reported"]]
           for row in rows if row["reported"] != "nothing" or row["runs"] < runs])
    enough = [row for row in rows if row["runs"] >= runs]
    print(f"{len(rows)} correct programs: {len(enough)} with {runs:,} schedules each or all that they have, the others above; "
          f"{sum(row['runs'] for row in rows):,} schedules")
    bench.save("clean", {"runs": runs, "results": rows})
    return [f"{row['program']}: {row['reported']}" for row in rows if row["reported"] != "nothing"]


def search(bench, path, runs):
    header = Header(path)
    name = f"{path.parent.parent.name}/{path.stem}" if path.parent.parent.name != "programs" else path.stem
    with tempfile.TemporaryDirectory(prefix="snag-bench.") as folder:
        program = pathlib.Path(folder) / path.stem
        if header.library:
            compile_program(bench.snag, path, pathlib.Path(folder) / header.library, *header.flags, "-DLIBRARY",
                            "-shared", "-fPIC")
        compile_program(bench.snag, path, program, *header.flags)
        options = {**header.options, "--seed": "1", "--runs": str(runs), "--time": str(PATIENCE)}
        report = bench.search(program, *option_words(options), patience=PATIENCE + 60, cwd=folder)
    kinds = sorted({failure["kind"] for failure in report["failures"]})
    # All schedules of a small space count as enough.
    done = runs if report.get("space_exhausted") else report["runs"]
    return {"program": name, "runs": done, "runs_per_second": report.get("runs_per_second"),
            "reported": report.get("problem") or ", ".join(kinds) or "nothing"}
