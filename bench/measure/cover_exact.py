"""Coverage of controlled runs: what the program records against a brute-force checker of the full trace, for every
metric, on random schedules of the programs of tests/commands/cover/exact."""
import shutil
import tempfile

import exact_coverage
import snagtest
from measure.common import progress, table

VARIANTS = (("g++", "-O1"), ("g++", "-O0"), ("clang++-19", "-O2"))
COLUMNS = ("schedules", "events", "lp", "lp target", "du", "du target", "mp", "cmp", "lines", "sync", "differences")


def measure(bench):
    bench.make("cover_exact")
    schedules = bench.options.runs or (5 if bench.quick else 20)
    problems, results = [], []
    for compiler, opt in VARIANTS:
        if not shutil.which(compiler):
            print(f"{compiler} is not installed: left out")
            continue
        rows = []
        with tempfile.TemporaryDirectory(prefix="snag-bench.") as folder:
            for source in sorted(exact_coverage.PROGRAMS.glob("*.cc")):
                if (bench.options.programs or "") not in source.stem:
                    continue
                progress(f"{source.stem}, {compiler} {opt}")
                try:
                    binary = snagtest.compile_program(bench.snag, source, f"{folder}/{source.stem}", compiler=compiler,
                                                      opt=opt)
                    row, differences = exact_coverage.compare(bench.build / "unit" / "cover_exact", binary, schedules)
                except snagtest.Failure as failure:
                    problems.append(f"{source.stem}, {compiler} {opt}: {failure}")
                    continue
                if differences:
                    problems.append(f"{source.stem}, {compiler} {opt}: {differences.strip()}")
                rows.append(row)
                results.append({"compiler": compiler, "opt": opt, **row})
        progress("")
        print(f"{compiler} {opt}")
        table(["program", *COLUMNS], [[row["program"], *(f"{row[name]:,}" for name in COLUMNS)] for row in rows])
        print(f"{sum(row['schedules'] for row in rows):,} schedules, "
              f"{sum(row['differences'] for row in rows)} differences\n")
    bench.save("cover-exact", {"schedules": schedules, "results": results})
    return problems
