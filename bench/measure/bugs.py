"""Schedules to the first failure: every benchmark program, every strategy, next to the published numbers.

A search that finds nothing counts as infinitely long in the median, as in the published data. `(n)` after a median
means that only n of the seeds found the bug, `-` that none did; `*` that searches were cut off by their time.
"""
import math
import re

from measure.common import CHECKS_OFF, median, number, progress, read_tsv, table

MIX_LIMIT = 2_000       # schedules in which mix must find every bug ...
MAY_MISS = {"safestack"}  # ... but this one: published methods need 200,000
OTHER_LIMIT = 10_000
OTHER_SECONDS = 10      # a search with another strategy may take that long,
QUICK_SECONDS = 2       # or that long
# How programs.tsv calls a failure, and what snag may call it: CHECK prints and aborts.
KINDS = {"assert": {"assert", "abort"}, "deadlock": {"deadlock"}, "lost-wakeup": {"lost-wakeup", "deadlock"}}
PUBLISHED = ("RW", "PCT3", "POS", "SURW")


def measure(bench):
    bench.make("bench_programs")
    options = bench.options
    strategies = options.strategies.split(",") if options.strategies else all_strategies(bench.root)
    mix_seeds = options.seeds or (5 if bench.quick else 20)
    other_seeds = options.other_seeds or (1 if bench.quick else 20)
    published = {row["bench"]: row for row in read_tsv(bench.root / "bench" / "published.tsv")}

    problems, results, lines = [], [], []
    for row in bench.programs():
        line = [row["name"]]
        for strategy in strategies:
            seeds = mix_seeds if strategy == "mix" else other_seeds
            # Different seeds of dfs are the same search.
            seeds = 1 if strategy == "dfs" else seeds
            progress(f"{row['name']}: {strategy}")
            searches = bench.in_parallel([lambda seed=seed: search(bench, row, strategy, seed)
                                          for seed in range(1, seeds + 1)])
            line.append(cell(searches))
            results.append({"program": row["name"], "strategy": strategy, "searches": searches})
            problems += find_problems(row, strategy, searches)
        theirs = published.get(row["published"], {})
        lines.append(line + [theirs.get(column, ".") for column in PUBLISHED])
    progress("")

    table(["program", *strategies, *PUBLISHED], lines)
    print(f"median schedules to the failure; mix: {mix_seeds} seeds, at most {MIX_LIMIT:,} schedules; others: "
          f"{other_seeds} seeds (dfs 1), at most {OTHER_LIMIT:,} schedules and {other_seconds(bench)} s\n"
          f"(n): found by n seeds only; -: by none; *: time was up; {', '.join(PUBLISHED)}: published, 20 trials")
    bench.save("bugs", {"mix_limit": MIX_LIMIT, "other_limit": OTHER_LIMIT, "results": results})
    return problems


def all_strategies(root):
    """The strategies that users may choose everywhere, from the table in protocol/strategies.h."""
    rows = (root / "protocol" / "strategies.h").read_text()
    return re.findall(r'X\(k\w+, \d+, "(\w+)", \w+, kEverywhere,', rows)


def other_seconds(bench):
    return QUICK_SECONDS if bench.quick else OTHER_SECONDS


def search(bench, row, strategy, seed):
    limits = (["--runs", MIX_LIMIT] if strategy == "mix"
              else ["--runs", OTHER_LIMIT, "--time", other_seconds(bench)])
    report = bench.search(row["bad"], "--strategy", strategy, "--seed", seed, *CHECKS_OFF, *limits)
    result = {"seed": seed, "runs": report["runs"], "found": None}
    if "problem" in report:
        result["problem"] = report["problem"]
    if report["failures"]:
        failure = report["failures"][0]
        result.update(found=failure["run"] + 1, kind=failure["kind"], confirmed=failure["confirmed"])
        if strategy == "mix":
            result["member"] = failure["strategy"]
    elif strategy == "dfs":
        result["exhausted"] = report.get("space_exhausted", False)
    # The time, not the number of schedules, ended the search.
    result["cut"] = (strategy != "mix" and not report["failures"] and report["runs"] < OTHER_LIMIT
                     and not result.get("exhausted"))
    return result


def cell(searches):
    found = [result["found"] for result in searches if result["found"]]
    cut = "*" if any(result["cut"] for result in searches) else ""
    if not found:
        return "-" + cut
    middle = median([result["found"] or math.inf for result in searches])
    # Fewer than half found it: the median of those that did, as the published tables do.
    text = number(median(found) if math.isinf(middle) else middle)
    return text + (f"({len(found)})" if len(found) < len(searches) else "") + cut


def find_problems(row, strategy, searches):
    problems = []
    for result in searches:
        where = f"{row['name']}, {strategy}, seed {result['seed']}"
        if "problem" in result:
            problems.append(f"{where}: {result['problem']}")
        elif result["found"] and result["kind"] not in KINDS[row["failure"]]:
            problems.append(f"{where}: reports {result['kind']} in run {result['found']}, not {row['failure']}")
        elif result["found"] and not result["confirmed"]:
            problems.append(f"{where}: the failure in run {result['found']} did not come back in its replay")
        elif result.get("exhausted"):
            problems.append(f"{where}: explored the whole space and found nothing")
    missed = [str(result["seed"]) for result in searches if not result["found"]]
    if strategy == "mix" and missed and row["name"] not in MAY_MISS:
        problems.append(f"{row['name']}: mix misses the bug within {MIX_LIMIT:,} schedules "
                        f"with {len(missed)} of {len(searches)} seeds: {' '.join(missed)}")
    return problems
