"""The correct twins: mix must report nothing on them."""
from measure.common import number, progress, table


def measure(bench):
    bench.make("bench_programs")
    runs = bench.options.runs or (500 if bench.quick else 10_000)
    problems, results, lines = [], [], []
    for row in bench.programs():
        progress(f"{row['name']}")
        report = bench.search(row["ok"], "--seed", 1, "--runs", runs, "-j", bench.options.jobs)
        kinds = [f"{failure['kind']} in run {failure['run']}" for failure in report["failures"]]
        verdict = report.get("problem") or ", ".join(kinds) or "nothing"
        if verdict != "nothing" or report["runs"] != runs:
            problems.append(f"{row['name']}_ok: {verdict} in {report['runs']:,} schedules (seed 1)")
        lines.append([row["name"], number(report["runs"]), number(report.get("distinct_orders")),
                      number(report.get("runs_per_second"), 0), verdict])
        results.append({"program": row["name"], "runs": report["runs"], "reported": kinds,
                        "distinct_orders": report.get("distinct_orders"),
                        "runs_per_second": report.get("runs_per_second"), "problem": report.get("problem")})
    progress("")
    table(["twin", "schedules", "partial orders", "a second", "reported"], lines)
    bench.save("twins", {"runs": runs, "results": results})
    return problems
