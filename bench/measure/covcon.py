"""The CovCon study: time until a bug is found in each class of bench/papers/covcon, by policy, under the system's
scheduler and under control (Table II); the correct twins; pairs covered over time (figure 3); tests a second."""
import csv
import json
import math
import subprocess
import tempfile

from measure.common import last_line, median, number, progress, read_tsv, table

LIMIT = 60  # seconds for a session that finds nothing
POLICIES = ("covcon", "random", "naive")
SCHEDULES = ("controlled", "system")
MOMENTS = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
SHOWN = ("xy_plot", "per_user_pool")  # the classes of the paper's figure 3
FAST = 2000  # tests a second
COMPARED = 20  # seconds for each other policy on a twin: the curves are flat before

# Student's t for a confidence of 95 %, by degrees of freedom.
T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
       2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045)


def mean(values):
    return sum(values) / len(values)


def half_width(values):
    """Of the confidence interval of the mean."""
    count = len(values)
    if count < 2:
        return 0
    center = mean(values)
    deviation = math.sqrt(sum((value - center) ** 2 for value in values) / (count - 1))
    return (T95[count - 2] if count - 2 < len(T95) else 1.96) * deviation / math.sqrt(count)


class Study:
    def __init__(self, bench):
        self.bench = bench
        self.folder = bench.build / "bench" / "papers" / "covcon"
        self.seeds = bench.options.seeds or (2 if bench.quick else 10)
        self.limit = bench.options.limit or LIMIT
        self.twin_seconds = bench.options.twin_seconds or (5 if bench.quick else 300)
        wanted = bench.options.programs or ""
        rows = read_tsv(bench.root / "bench" / "papers" / "covcon" / "classes.tsv")
        self.classes = [row for row in rows if wanted in row["name"]]
        self.problems = []

    def session(self, name, policy, schedules, seed, seconds):
        """snag gen-driver --json, in a folder of its own; the drivers are built once, for all sessions."""
        with tempfile.TemporaryDirectory(prefix="snag-bench.") as folder:
            command = [self.bench.snag, "gen-driver", "--json", "--quiet", "--shrink-time", 0, "--policy", policy,
                       "--schedules", schedules, "--seed", seed, "--time", seconds, "--out", folder,
                       self.folder / name / "driver"]
            try:
                done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                                      timeout=seconds + 300, stdin=subprocess.DEVNULL)
            except subprocess.TimeoutExpired:
                self.problems.append(f"{name}: no end with {policy}, {schedules}, seed {seed}")
                return None
        if done.returncode not in (0, 1):
            self.problems.append(f"{name}: exit {done.returncode} with {policy}, {schedules}, seed {seed}: "
                                 f"{last_line(done.stderr)}")
            return None
        return json.loads(done.stdout)


def time_to_bug(study, name, policy, schedules, seed):
    """Seconds and tests until the bug was found and checked, and its kind; None if it was not found."""
    progress(f"{schedules} schedules: {name} by {policy}, seed {seed}")
    report = study.session(f"{name}_bad", policy, schedules, seed, study.limit)
    if not report or not report["violations"]:
        return None
    violation = report["violations"][0]
    return {"seconds": violation["seconds"], "tests": violation["tests"], "kind": violation["kind"]}


def cell(study, results):
    """The number of sessions that found the bug, mean and interval; a session without a bug counts with its limit."""
    seconds = [result["seconds"] if result else study.limit for result in results]
    found = sum(result is not None for result in results)
    more = "" if found == len(results) else ">"
    return {"found": found, "of": len(results), "mean": mean(seconds), "half_width": half_width(seconds),
            "tests": mean([result["tests"] for result in results if result]) if found else None,
            "kinds": sorted({result["kind"] for result in results if result}), "seconds": seconds,
            "text": f"{found}/{len(results)} {more}{mean(seconds):.2f} ±{half_width(seconds):.2f}"}


def measure_bugs(study, schedules):
    rows = []
    for entry in study.classes:
        row = {"name": entry["name"], "bug": entry["bug"]}
        for policy in POLICIES:
            tasks = [lambda seed=seed, policy=policy: time_to_bug(study, entry["name"], policy, schedules, seed)
                     for seed in range(1, study.seeds + 1)]
            row[policy] = cell(study, study.bench.in_parallel(tasks))
        rows.append(row)
    progress("")
    print(f"{schedules} schedules: found in so many of {study.seeds} seeds, seconds until then (mean, interval of 95 %); "
          f"at most {study.limit:g}")
    table(["class", "bug", *POLICIES, "random/covcon", "naive/covcon", "shown as"],
          [[row["name"], row["bug"], *(row[policy]["text"] for policy in POLICIES),
            *(number(row[policy]["mean"] / row["covcon"]["mean"]) for policy in POLICIES[1:]),
            ", ".join(row["covcon"]["kinds"])] for row in rows])
    summary = {}
    for policy in POLICIES:
        missed = sum(row[policy]["of"] - row[policy]["found"] for row in rows)
        times = [row[policy]["mean"] for row in rows]
        ratios = [row[policy]["mean"] / row["covcon"]["mean"] for row in rows]
        summary[policy] = {"missed": missed, "mean": mean(times), "ratio_of_means": mean(times) / mean(
            [row["covcon"]["mean"] for row in rows]), "geometric_mean": math.exp(mean([math.log(r) for r in ratios])),
            "mean_of_ratios": mean(ratios)}
        print(f"{policy}: {missed} missed, {mean(times):.2f} s on average", end="")
        print("" if policy == "covcon" else
              f"; {number(summary[policy]['ratio_of_means'])} times that of covcon, "
              f"{number(summary[policy]['mean_of_ratios'])} on average over classes, "
              f"{number(summary[policy]['geometric_mean'])} as a geometric mean")
    return {"rows": rows, "summary": summary}


def check_controlled(study, measured):
    for row in measured["rows"]:
        result = row["covcon"]
        if result["found"] < result["of"]:
            study.problems.append(f"{row['name']}: found with {result['found']} of {result['of']} seeds under control")
    if measured["summary"]["covcon"]["mean"] >= 1:
        study.problems.append("the mean time to a bug is a second or more under control")


def measure_twins(study):
    """Half of the time under control, half under the system's scheduler; the other policies, for comparison, come on top."""
    sessions = {}
    half = study.twin_seconds / 2

    def run(name, policy, schedules):
        progress(f"correct twins, {schedules} schedules: {name} by {policy}")
        seconds = half if policy == "covcon" else min(half, COMPARED)
        report = study.session(f"{name}_ok", policy, schedules, 1, seconds)
        if report and report["violations"]:
            study.problems.append(f"{name}: a report on the correct twin by {policy}, {schedules} schedules: "
                                  f"{report['violations'][0]['kind']}")
        sessions[name, policy, schedules] = report

    names = [entry["name"] for entry in study.classes]
    study.bench.in_parallel([lambda name=name, policy=policy: run(name, policy, "system")
                             for name in names for policy in POLICIES])
    study.bench.in_parallel([lambda name=name: run(name, "covcon", "controlled") for name in names])
    progress("")
    return {key: report for key, report in sessions.items() if report}


def print_twins(study, sessions):
    rows, rates = [], {}
    for entry in study.classes:
        name = entry["name"]
        controlled, system = (sessions.get((name, "covcon", schedules)) for schedules in SCHEDULES)
        if not controlled or not system:
            continue
        reports = sum(len(report["violations"]) for (other, _, _), report in sessions.items() if other == name)
        methods = len(json.loads((study.folder / f"{name}_ok" / "methods.json").read_text(encoding="utf-8"))["methods"])
        rates[name] = system["tests_per_second"]
        rows.append([name, methods, controlled["coverage"]["pairs"], reports, number(controlled["tests"]),
                     number(controlled["runs"]), number(system["tests"]), number(round(rates[name])),
                     controlled["unjudged"] + system["unjudged"]])
    print(f"correct twins: {study.twin_seconds / 2:g} s under control, and as long under the system's scheduler")
    table(["class", "methods", "pairs", "reports", "tests", "schedules", "tests, system", "a second", "not judged"], rows)
    if rates:
        best = max(rates, key=rates.get)
        print(f"tests a second under the system's scheduler: {number(round(rates[best]))} for {best}, the median is "
              f"{number(round(median(rates.values())))}, {sum(rate >= FAST for rate in rates.values())} of {len(rates)} "
              f"classes reach {FAST:,}")
    return {"rows": rows, "tests_per_second": rates}


def covered_at(report, moment):
    """Per cent of the pairs."""
    before = [covered for seconds, _, covered, _ in report["coverage"]["curve"] if seconds <= moment]
    return 100 * before[-1] / report["coverage"]["pairs"] if before else 0


def print_curves(study, sessions):
    system = {(name, policy): report for (name, policy, schedules), report in sessions.items() if schedules == "system"}
    moments = [moment for moment in MOMENTS if moment <= min(COMPARED, study.twin_seconds / 2)]
    names = [entry["name"] for entry in study.classes]
    rows = []
    for title, chosen in [("median of all", names)] + [(name, [name]) for name in SHOWN if name in names]:
        for policy in POLICIES:
            reports = [system[name, policy] for name in chosen if (name, policy) in system]
            if reports:
                rows.append([title, policy, *(f"{median([covered_at(report, moment) for report in reports]):.0f}"
                                              for moment in moments)])
    print("pairs of methods that ran concurrently under the system's scheduler, in per cent, after so many seconds")
    table(["class", "policy", *map(str, moments)], rows)
    path = study.bench.build / "bench" / "covcon_curves.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["class", "policy", "seconds", "tests", "covered", "tried", "pairs"])
        for (name, policy), report in sorted(system.items()):
            for point in report["coverage"]["curve"]:
                writer.writerow([name, policy, *point, report["coverage"]["pairs"]])
    print(f"all points: {path}")
    return rows


def measure(bench):
    bench.make("bench_covcon")
    study, result = Study(bench), {}
    (bench.build / "bench").mkdir(exist_ok=True)
    if not study.classes:
        return [f"no class has '{bench.options.programs}' in its name"]
    for schedules in SCHEDULES:
        result[schedules] = measure_bugs(study, schedules)
        bench.save("covcon", result)
        print()
    check_controlled(study, result["controlled"])
    sessions = measure_twins(study)
    result["twins"] = print_twins(study, sessions)
    print()
    result["curves"] = print_curves(study, sessions)
    bench.save("covcon", result)
    return study.problems
