"""Table 1 of the location-pairs paper: how well coverage and bugs go together."""
import functools

from measure.common import number, table

METRICS = ("MP", "DU", "LP")
COLUMNS = {"adequate": "success as a measure of adequacy, %",
           "detect": "of the passes that cover something new, those that detect the bug, %",
           "new": "of the passes that detect the bug, those that cover something new, %",
           "coverage": "coverage when the bug is detected, %"}


def figures(measured, metric):
    """The four columns of a metric, from iterations that each end with the pass that detects the bug."""
    coverable = measured.coverable(metric)
    iterations = [iteration for iteration in measured.iterations if iteration["failed"]]
    adequate = detecting_new = passes_with_new = 0
    coverage = 0.0
    for iteration in iterations:
        last = iteration["failed"][-1][0]
        first_passes = iteration["covered"][metric].values()
        adequate += sum(first < last for first in first_passes) < len(coverable)
        detecting_new += last in first_passes
        passes_with_new += len(set(first_passes))
        coverage += len(first_passes) / max(1, len(coverable))
    share = lambda part, whole: 100 * part / whole if whole else 0.0
    return {"adequate": share(adequate, len(iterations)), "detect": share(detecting_new, passes_with_new),
            "new": share(detecting_new, len(iterations)), "coverage": share(coverage, len(iterations))}


def study_program(study, row, iterations):
    measured = study.measure(row["name"], "--iterations", iterations)
    result = {"row": row["row of Table 1"], "program": row["name"], "iterations": iterations,
              "undetected": sum(not iteration["failed"] for iteration in measured.iterations),
              "lost": sum(iteration["lost"] for iteration in measured.iterations),
              "passes": sum(iteration["passes"] for iteration in measured.iterations) / iterations}
    for metric in METRICS:
        result[metric] = figures(measured, metric)
        result[metric]["coverable"] = len(measured.coverable(metric))
        result[metric]["target"] = len(measured.target(metric))
    return result


def measure(study):
    bench = study.bench
    iterations = bench.options.runs or (10 if bench.quick else 100)
    rows = [row for row in study.programs()
            if row["row of Table 1"] != "-" and (bench.options.programs or "") in row["name"]]
    if not rows:
        return [], {}
    results = bench.in_parallel([functools.partial(study_program, study, row, iterations) for row in rows])
    print(f"Table 1 with {iterations} iterations; the paper's figures in brackets")
    published = study.paper()
    paper = lambda result, column: published.get(result["row"], {}).get(column, "-")
    for column, title in COLUMNS.items():
        print(f"\n{title}")
        table(["program", *METRICS],
              [[result["row"], *(f"{number(result[metric][column])} ({paper(result, f'{column} {metric}')})"
                                 for metric in METRICS)] for result in results])
    print("\npasses until the bug; pairs that any pass covered, and pairs that the accesses could form (target)")
    table(["program", "passes", *METRICS, "LP target", "DU target"],
          [[result["row"], f"{number(result['passes'], 0)} ({paper(result, 'passes')})",
            *(result[metric]["coverable"] for metric in METRICS), result["LP"]["target"], result["DU"]["target"]]
           for result in results])
    problems = [f"{result['row']}: no bug in {result['undetected']} iterations" for result in results
                if result["undetected"]]
    problems += [f"{result['row']}: LP was complete before the bug was detected, in "
                 f"{100 - result['LP']['adequate']:.0f} % of the iterations"
                 for result in results if result["LP"]["adequate"] < 100 and result["row"] in published]
    problems += [f"{result['row']}: the store had no room for {result['lost']}" for result in results if result["lost"]]
    return problems, {"table1": results}
