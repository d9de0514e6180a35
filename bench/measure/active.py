"""The study of active testing: runs until each bug of bench/papers/active is confirmed, compared with random
schedules and pct; what the paper's algorithm does on the paper's two programs; and the correct twins and the impossible
candidates."""
import json
import os
import re
import subprocess
import tempfile
import time

from measure.common import median, number, table

CAP = 1000  # runs of a search that finds nothing
OPTION = {"race": "--race", "deadlock": "--deadlock", "atomicity": "--atomicity", "assertion": "--assert"}
LIMIT = 3.0  # times the processor time of a controlled run with race detection
PAPER = {"assert_shared_map": "7 of 10", "assert_introduction": "3 of 10"}


class Study:
    def __init__(self, bench):
        self.bench = bench
        self.sources = bench.root / "bench" / "papers" / "active"
        self.folder = bench.build / "bench" / "papers" / "active"
        self.seeds = bench.options.seeds or (3 if bench.quick else 20)

    def names(self, folder):
        wanted = self.bench.options.programs or ""
        return [path for path in sorted((self.sources / folder).glob("*.cc")) if wanted in path.stem]

    def active(self, program, *options):
        """snag active --json, in a folder of its own, so that nothing is known from before."""
        with tempfile.TemporaryDirectory(prefix="snag-bench.") as folder:
            command = [str(self.bench.snag), "active", "--json", "--quiet", "--shrink-time", "0", *map(str, options),
                       "--", str(program)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=900, stdin=subprocess.DEVNULL,
                                  cwd=folder, check=False)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"{program.name}: exit {done.returncode}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def directed(self, program, kind, seed):
        """Steered runs for the candidate that was confirmed, and all runs until then; nothing if there was none."""
        result = self.active(program, OPTION[kind], "--runs", 20, "--seed", seed)
        total = result["watched_runs"]
        for candidate in result["candidates"]:
            total += candidate["runs"]
            if candidate["verdict"] == "confirmed":
                return candidate["runs"], total
        return None

    def searched(self, program, kind, seed, strategy):
        races = "fail" if kind == "race" else "off"
        report = self.bench.search(program, "--strategy", strategy, "--runs", CAP, "--seed", seed, "--races", races)
        return report["failures"][0]["runs"] if report["failures"] else CAP


def kind_of(path):
    return re.match(r"// kind: (\w+)", path.read_text(encoding="utf-8")).group(1)


def mean(values):
    return sum(values) / len(values)


def measure_suite(study, problems, result):
    rows, ratios = [], {"random": [], "pct": []}
    for path in study.names("programs"):
        kind = kind_of(path)
        program = study.folder / f"{path.stem}_bad"
        seeds = range(1, study.seeds + 1)
        tasks = [lambda seed=seed: study.directed(program, kind, seed) for seed in seeds]
        directed = study.bench.in_parallel(tasks)
        confirmed = [runs for runs in directed if runs]
        if len(confirmed) < len(directed):
            problems.append(f"{path.stem}: confirmed with {len(confirmed)} of {len(directed)} seeds")
        row = [path.stem, f"{len(confirmed)}/{len(directed)}",
               max((runs for runs, _ in confirmed), default=None),
               mean([total for _, total in confirmed]) if confirmed else None]
        for strategy, all_ratios in ratios.items():
            tasks = [lambda seed=seed, strategy=strategy: study.searched(program, kind, seed, strategy) for seed in seeds]
            runs = mean(study.bench.in_parallel(tasks))
            row.append(runs)
            if confirmed:
                all_ratios.append(runs / row[3])
        rows.append(row)
    table(["program", "confirmed", "steered runs, most", "all runs, mean", "random", "pct"],
          [[*row[:2], *(number(value) for value in row[2:])] for row in rows])
    for strategy, factor in (("random", 5), ("pct", 2)):
        if not ratios[strategy]:
            continue
        total = sum(row[4 if strategy == "random" else 5] for row in rows)
        ours = sum(row[3] or CAP for row in rows)
        print(f"runs of {strategy} for one of active: {number(total / ours)} over all programs, "
              f"{number(mean(ratios[strategy]))} on average")
        if total < factor * ours:
            problems.append(f"less than {factor} times the runs with {strategy}")
    result["suite"] = rows


def measure_paper(study, problems, result):
    """Calls of the tool, ten trials each, as in the paper's table 1."""
    rows = []
    for name, paper in PAPER.items():
        program = study.folder / f"{name}_bad"
        if not (study.bench.options.programs or "") in name:
            continue
        counts = []
        for strategy in ("active", "assert"):
            found = 0
            for seed in range(1, 11):
                reports = study.active(program, "--assert", "--strategy", strategy, "--runs", 10, "--seed", seed)
                found += any(c["verdict"] == "confirmed" for c in reports["candidates"])
            counts.append(found)
        if counts[0] < 10:
            problems.append(f"{name}: the assertion fails in {counts[0]} of 10 calls only")
        rows.append([name, *(f"{count} of 10" for count in counts), paper])
    if rows:
        table(["program", "active", "Algorithm 1 here", "in the paper"], rows)
    result["paper"] = rows


def measure_clean(study, problems, result):
    checked = 0
    for folder, suffix, prefix in (("programs", "_ok", ""), ("impossible", "", "impossible_")):
        for path in study.names(folder):
            program = study.folder / f"{prefix}{path.stem}{suffix}"
            for seed in range(1, (2 if study.bench.quick else 5) + 1):
                report = study.active(program, "--runs", 20, "--seed", seed)
                checked += 1
                if report["failures"] or any(c["verdict"] == "confirmed" for c in report["candidates"]):
                    problems.append(f"{program.name}: a report on a correct program with seed {seed}")
    print(f"correct twins and impossible candidates: {checked} calls")
    result["clean_calls"] = checked


def peak_memory(pid):
    """The most that one of these processes has used so far, in MB: the tool, and all below it."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            own = re.search(r"VmHWM:\s+(\d+)", status.read())
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
            below = [peak_memory(child) for child in children.read().split()]
    except OSError:
        return 0
    return max([int(own.group(1)) / 1024 if own else 0, *below])


def cost_of(command):
    """Seconds of processor time of the tool and of the program together, and peak memory."""
    with tempfile.TemporaryDirectory(prefix="snag-bench.") as folder:
        process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, cwd=folder)
        memory, done = 0, 0
        while done == 0:
            done, status, used = os.wait4(process.pid, os.WNOHANG)
            memory = max(memory, peak_memory(process.pid))
            time.sleep(0.002)
        process.returncode = os.waitstatus_to_exitcode(status)
        result = json.load(process.stdout)
    if process.returncode != 0 or result.get("candidates"):
        raise RuntimeError(f"exit {process.returncode}, and not only watched: {' '.join(map(str, command))}")
    return used.ru_utime + used.ru_stime, memory


def measure_cost(study, problems, result):
    """Phase 1 on one run, alternating with a controlled run with race detection."""
    if (study.bench.options.programs or "") not in "cost_accesses":
        return
    program = study.folder / "cost_accesses"
    common = ["--json", "--quiet", "--hang-timeout", "100", "--seed", "1"]
    # There is nothing to predict, so nothing is steered.
    watch = [study.bench.snag, "active", *common, "--watch", "1", "--", program]
    run = [study.bench.snag, "run", *common, "--runs", "1", "--", program]
    rows = []
    for accesses in (10**6, 10**7) if study.bench.quick else (10**6, 10**7, 10**8):
        samples = [(cost_of([*watch, accesses]), cost_of([*run, accesses])) for _ in range(5)]
        watched, ran = (median([sample[side][0] for sample in samples]) for side in (0, 1))
        memory, usual = (median([sample[side][1] for sample in samples]) for side in (0, 1))
        rows.append([accesses, watched, ran, watched / ran, memory, usual])
        if watched > LIMIT * ran:
            problems.append(f"{number(accesses)} accesses: watching takes {number(watched / ran)} times a run with race "
                            "detection")
    table(["accesses", "watched, s", "run, s", "times", "watched, MB", "run, MB"],
          [[number(row[0]), f"{row[1]:.2f}", f"{row[2]:.2f}", *(number(value) for value in row[3:])] for row in rows])
    result["cost"] = rows


def measure(bench):
    bench.make("bench_active")
    study, problems, result = Study(bench), [], {}
    measure_suite(study, problems, result)
    print()
    measure_paper(study, problems, result)
    measure_clean(study, problems, result)
    print()
    measure_cost(study, problems, result)
    bench.save("active", result)
    return problems
