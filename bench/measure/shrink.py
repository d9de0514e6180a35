"""How far shrinking gets: switches of a failing schedule before and after, and the smallest number possible.

Each bug is found with mix and shrunk as `snag run` does it by itself. Then `snag shrink --thorough` tries all schedules
with fewer switches, for the same failure at the same schedule points; where it comes to an end, the number is the
smallest. `.` means that it did not.
"""
import json
import pathlib
import subprocess
import tempfile

from measure.common import CHECKS_OFF, last_line, progress, table

FIND_RUNS = 2_000
MAY_MISS = {"safestack"}  # what is not found cannot be shrunk
SEARCH_SECONDS = 60      # for the smallest; quick:
QUICK_SEARCH_SECONDS = 5
MAY_BE_MORE = 1          # switches than the smallest


def measure(bench):
    bench.make("bench_programs")
    limit = QUICK_SEARCH_SECONDS if bench.quick else SEARCH_SECONDS

    def one(row):
        progress(row["name"])
        with tempfile.TemporaryDirectory(prefix="snag-bench.") as folder:
            return shrink_and_search(bench, row, pathlib.Path(folder), limit)

    rows = bench.programs()
    results = bench.in_parallel([lambda row=row: one(row) for row in rows])
    progress("")
    problems, lines = [], []
    for row, result in zip(rows, results):
        result["program"] = row["name"]
        problems += find_problems(result)
        lines.append([row["name"], *(show(result.get(name)) for name in
                                     ("before", "after", "smallest", "attempts", "seconds"))])
    table(["program", "before", "after", "smallest", "attempts", "seconds"], lines)
    known = [result for result in results if result.get("smallest") is not None]
    minimal = sum(result["after"] == result["smallest"] for result in known)
    print(f"switches; {len(known)} of {len(results)} have a known smallest number, {minimal} of them were shrunk to it; "
          f"search for it: at most {limit} s each, {bench.options.jobs} at a time")
    bench.save("shrink", {"search_seconds": limit, "results": results})
    return problems


def show(value):
    return "." if value is None else value


def shrink_and_search(bench, row, folder, limit):
    report = call(bench, "run", "--seed", 1, "--runs", FIND_RUNS, *CHECKS_OFF, "--out", folder, "--", row["bad"])
    if "problem" in report or not report["failures"]:
        return {"problem": report.get("problem", f"not found in {FIND_RUNS:,} schedules")}
    found = report["failures"][0]
    result = {"before": found.get("shrunk_from", found["switches"]), "after": found["switches"],
              "attempts": found.get("shrink_attempts", 0), "seconds": round(found.get("shrink_seconds", 0), 2),
              "smallest": None}
    again = call(bench, "replay", "--times", 3, found["trace"])
    if again.get("identical") != 3:
        result["problem"] = f"the shrunk schedule does not replay: {again.get('verdict', again.get('problem'))}"
    # Of the shrunk schedule: that of the found one has the same smallest number, and is further from it.
    best = call(bench, "shrink", "--thorough", "--time", limit, "-o", folder / "best.snag", found["trace"])
    if "problem" in best:
        result["problem"] = best["problem"]
    elif best["failures"][0]["kind"] != found["kind"] or best["failures"][0]["detail"] != found["detail"]:
        result["problem"] = f"{found['kind']} became {best['failures'][0]['kind']}"
    elif best["smallest"]:
        result["smallest"] = best["switches_after"]
    elif best["switches_after"] < result["after"]:
        result["better"] = best["switches_after"]
    return result


def find_problems(result):
    name = result["program"]
    if name in MAY_MISS and "before" not in result:
        return []
    if "problem" in result:
        return [f"{name}: {result['problem']}"]
    smallest = result["smallest"] if result["smallest"] is not None else result.get("better")
    if smallest is not None and result["after"] > smallest + MAY_BE_MORE:
        return [f"{name}: shrunk to {result['after']} switches, and {smallest} are enough"]
    return []


def call(bench, command, *options):
    """snag with --json; the report as a dictionary, with `problem` set where there is none."""
    line = [str(bench.snag), command, "--json", *(["--quiet"] if command != "replay" else []), *map(str, options)]
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=900, stdin=subprocess.DEVNULL)
        report = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {"problem": "no end after 900 s"}
    except ValueError:
        return {"problem": f"exit {done.returncode}: {last_line(done.stderr)}"}
    return report
