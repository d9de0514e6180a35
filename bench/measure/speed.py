"""The cost of control, compared with native runs, alternating within one session; medians."""
import resource
import subprocess
import tempfile
import time

from measure.common import CHECKS_OFF, median, number, progress, table

# What is printed for each sample: real time, processor time of all processes, and, for some, what a run took inside
# itself without its bookkeeping. Processor time is what others on the machine do not disturb.
CLOCKS = ("real", "processor", "inside")
THREADS = (2, 8, 64)
RUN_THREADS = (1, 2, 4, 8, 16, 32, 64)


def measure(bench):
    bench.make("bench_speed")
    samples = collect(bench, 5 if bench.quick else 9)
    figures = {name: {clock: median([sample[i] for sample in found]) for i, clock in enumerate(CLOCKS)}
               for name, found in samples.items()}
    problems = report(figures)
    bench.save("speed", {"unit": "ns for each operation or run", "clocks": CLOCKS, "figures": figures,
                         "samples": samples})
    return problems


def collect(bench, rounds):
    """Every measurement once in each round, so that what else the machine does hits them all alike."""
    folder = bench.build / "bench" / "speed"
    inside, native = str(folder / "in_process"), str(folder / "native")
    spawns = 100 if bench.quick else 300
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
            samples.setdefault(name, []).append(fork_server(bench, folder / "four_threads", [*CHECKS_OFF, *options]))
    progress("")
    return samples


def fork_server(bench, program, options, runs=None):
    """ns for each run of the program, from outside: with all that `snag run` does before and after."""
    runs = runs or (1000 if bench.quick else 3000)
    with tempfile.TemporaryDirectory(prefix="snag-bench.") as folder:
        start, used = time.monotonic(), processor_time()
        done = subprocess.run([bench.snag, "run", "--json", "--quiet", "--seed", "1", "--runs", str(runs), "--out", folder,
                               *options, "--", program], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        end, used = time.monotonic(), processor_time() - used
    if done.returncode != 0:
        raise SystemExit(f"bench: snag run -- {program}: exit {done.returncode}\n{done.stderr}")
    return [(end - start) * 1e9 / runs, used * 1e9 / runs, 0]


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def report(figures):
    lines, problems = [], []

    def get(name, clock="processor"):
        return figures[name][clock]

    def add(what, ours, unit, native=None, limit=None, real=None):
        """A line, by processor time or by what a run took inside; a limit is a maximum, for rates a minimum.

        A target is met if it is met by both clocks, where there are two.
        """
        rate = unit == "/s"
        misses = lambda value: limit is not None and value is not None and (value < limit if rate else value > limit)
        verdict = "" if limit is None else "missed" if misses(ours) else "not in real time" if misses(real) else "met"
        bound = "" if limit is None else f"{'>=' if rate else '<='} {number(limit)}"
        ratio = "" if native is None else f"{ours / native if rate else native / ours:,.1f}x"
        lines.append([what, number(ours), unit, "" if real is None else number(real),
                      "" if native is None else number(native), ratio, bound,
                      verdict])
        if verdict not in ("", "met"):
            beside = "" if real is None else f" ({number(real)} in real time)"
            problems.append(f"{what}: {number(ours)} {unit}{beside}, target {bound}")

    def rate(what, name, native=None, limit=None):
        add(what, 1e9 / get(name), "/s", native and 1e9 / get(native), limit, 1e9 / get(name, "real"))

    lone = get("lone yield", "inside")
    steps = {threads: get(f"yield {threads}", "inside") for threads in THREADS}
    for threads, step in steps.items():
        add(f"switch, {threads} threads", step - lone, "ns", get(f"futex {threads}"), 25)
    for threads, step in steps.items():
        add(f"  whole step that switches, {threads} threads", step, "ns", get(f"futex {threads}"))
    for threads in THREADS:
        add(f"  random step of {threads} threads", get(f"store {threads}", "inside"), "ns")
    store = get("point native")
    add("point without a switch", get("point", "inside") - store, "ns", None, 6)
    add("  another thread could go on", get("kept", "inside") - store, "ns")
    add("  with the run's bookkeeping", get("point") - store, "ns")
    add("  atomic increment", get("add", "inside"), "ns", get("add native"))
    add("  yield, nobody else there", lone, "ns", get("yield native"))
    add("std::thread create and join", get("thread") / 1e3, "us", get("thread native") / 1e3, 3,
        get("thread", "real") / 1e3)
    for strategy in ("random", "mix"):
        rate(f"runs in process, {strategy}", f"count {strategy}", "count native", 500_000)
    for strategy in ("random", "mix"):
        rate(f"  one of the two is the body's own, {strategy}", f"count {strategy} with main")
    for strategy in ("random", "mix"):
        rate(f"whole programs, fork server, {strategy}", f"server {strategy}", "spawn native", 1_500)
    rate("  with -j 2", "server -j2", "spawn native")
    rate("  instrumented program, fork + exec", "spawn instrumented", "spawn native")
    table(["", "Snag", "", "real time", "native", "better by", "target", ""], lines)

    print()
    costs = [get(f"runs {threads}") / 1e3 for threads in RUN_THREADS]
    table(["threads in a run", *map(str, RUN_THREADS)],
          [["us for a run in process, random", *[f"{cost:.2f}" for cost in costs]],
           ["us for each of its threads", *[f"{cost / n:.2f}" for cost, n in zip(costs, RUN_THREADS)]]])
    return problems
