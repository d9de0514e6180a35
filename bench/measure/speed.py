"""What control costs, beside the same thing done natively, in turns within one run; medians."""
import json
import subprocess
import tempfile
import time

from measure.common import median, number, progress, table

THREADS = (2, 8, 64)
RUN_THREADS = (1, 2, 4, 8, 16, 32, 64)


def measure(bench):
    bench.make("bench_speed")
    samples = collect(bench, 5 if bench.quick else 9)
    figures = {name: {"outside": median([pair[0] for pair in pairs]), "inside": median([pair[1] for pair in pairs]),
                      "samples": pairs} for name, pairs in samples.items()}
    problems = report(figures)
    bench.save("speed", {"unit": "ns for each operation, runs_* for each run", "figures": figures})
    return problems


def collect(bench, rounds):
    """Every measurement once in each round, so that what else the machine does hits them all alike."""
    folder = bench.build / "bench" / "speed"
    inside, native = str(folder / "in_process"), str(folder / "native")
    spawns = 100 if bench.quick else 500
    commands = {"point": [inside, "point"], "point native": [native, "store"],
                "add": [inside, "add"], "add native": [native, "add"],
                "kept": [inside, "kept"],
                "lone yield": [inside, "lone-yield"], "yield native": [native, "yield"],
                "thread": [inside, "thread"], "thread native": [native, "thread"],
                "count random": [inside, "runs", "random", "2"], "count mix": [inside, "runs", "mix", "2"],
                "count random with main": [inside, "runs", "random", "2", "with-main"],
                "count mix with main": [inside, "runs", "mix", "2", "with-main"],
                "count native": [native, "runs"],
                "spawn native": [native, "spawn", str(spawns), str(folder / "four_threads_native")],
                "spawn instrumented": [native, "spawn", str(spawns), str(folder / "four_threads")]}
    for threads in THREADS:
        commands[f"yield {threads}"] = [inside, "yield", str(threads)]
        commands[f"store {threads}"] = [inside, "store", str(threads)]
        commands[f"futex {threads}"] = [native, "handoff", str(threads)]
    for threads in RUN_THREADS:
        commands[f"runs {threads}"] = [inside, "runs", "random", str(threads)]

    samples = {}
    for turn in range(rounds):
        for name, command in commands.items():
            progress(f"round {turn + 1} of {rounds}: {name}")
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
            if done.returncode != 0:
                raise SystemExit(f"bench: {' '.join(command)}: exit {done.returncode}\n{done.stderr}")
            samples.setdefault(name, []).append([float(word) for word in done.stdout.split()])
        for name, options in {"server mix": [], "server random": ["--strategy", "random"], "server -j2": ["-j", "2"]}.items():
            progress(f"round {turn + 1} of {rounds}: {name}")
            samples.setdefault(name, []).append(fork_server(bench, folder / "four_threads", options))
    progress("")
    return samples


def fork_server(bench, program, options):
    """ns for each run of the program, from outside: with all that `snag run` does before and after."""
    runs = 500 if bench.quick else 3000
    with tempfile.TemporaryDirectory(prefix="snag-bench.") as folder:
        start = time.monotonic()
        done = subprocess.run([bench.snag, "run", "--json", "--quiet", "--seed", "1", "--runs", str(runs), "--out", folder,
                               *options, "--", program], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        end = time.monotonic()
    if done.returncode != 0:
        raise SystemExit(f"bench: snag run -- {program}: exit {done.returncode}\n{done.stderr}")
    inside = json.loads(done.stdout)["runs_per_second"]
    return [(end - start) * 1e9 / runs, 1e9 / inside]


def report(figures):
    outside = lambda name: figures[name]["outside"]
    inside = lambda name: figures[name]["inside"]
    lines, problems = [], []

    def add(what, ours, unit, native=None, limit=None, at_least=False):
        missed = limit is not None and (ours < limit if at_least else ours > limit)
        bound = "" if limit is None else f"{'>=' if at_least else '<='} {number(limit)}"
        ratio = "" if native is None else f"{ours / native if at_least else native / ours:,.1f}x"
        lines.append([what, number(ours), "" if native is None else number(native), unit, ratio, bound,
                      "" if limit is None else "missed" if missed else "met"])
        if missed:
            problems.append(f"{what}: {number(ours)} {unit}, target {bound}")

    switching = {threads: inside(f"yield {threads}") for threads in THREADS}
    for threads, step in switching.items():
        add(f"switch, {threads} threads", step - inside("lone yield"), "ns", outside(f"futex {threads}"), 25)
    for threads, step in switching.items():
        add(f"step that switches, {threads} threads", step, "ns", outside(f"futex {threads}"))
    for threads in THREADS:
        add(f"random step of {threads} threads", inside(f"store {threads}"), "ns")
    add("point without a switch", inside("point") - outside("point native"), "ns", None, 6)
    add("the same with the run's accounting", outside("point") - outside("point native"), "ns")
    add("point, another thread could go on", inside("kept") - outside("point native"), "ns")
    add("atomic increment", inside("add"), "ns", outside("add native"))
    add("yield, nobody else there", inside("lone yield"), "ns", outside("yield native"))
    add("std::thread create and join", outside("thread") / 1e3, "us", outside("thread native") / 1e3, 3)
    native_rate = 1e9 / outside("count native")
    for strategy in ("random", "mix"):
        add(f"runs in process, {strategy}", 1e9 / outside(f"count {strategy}"), "/s", native_rate, 500_000, True)
    for strategy in ("random", "mix"):
        add(f"  one of the two is the body's, {strategy}", 1e9 / outside(f"count {strategy} with main"), "/s")
    spawned = 1e9 / outside("spawn native")
    add("whole programs, fork server, mix", 1e9 / outside("server mix"), "/s", spawned, 1_500, True)
    add("whole programs, fork server, random", 1e9 / outside("server random"), "/s", spawned, 1_500, True)
    add("  with -j 2", 1e9 / outside("server -j2"), "/s", spawned)
    add("  instrumented program, fork + exec", 1e9 / outside("spawn instrumented"), "/s", spawned)
    table(["", "Snag", "native", "unit", "better by", "target", ""], lines)

    print()
    table(["threads", *map(str, RUN_THREADS)],
          [["us for each run in process, random", *[f"{outside(f'runs {n}') / 1e3:.2f}" for n in RUN_THREADS]],
           ["us for each thread of it", *[f"{outside(f'runs {n}') / 1e3 / n:.2f}" for n in RUN_THREADS]]])
    return problems
