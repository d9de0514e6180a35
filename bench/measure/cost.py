"""What the checks for races, heap errors and misuse of locks cost: the same with and without them, in turns; medians."""
import platform
import subprocess

from measure.common import CHECKS_OFF, median, number, progress, table
from measure.speed import fork_server

LIMIT = 2.0  # times what it takes without the checks
PROCESSOR, INSIDE = 1, 2  # what in_process and native print

# Lines of the first table: arguments of in_process, which clock counts, and the unit.
IN_PROCESS = {
    "runs in process, random": (["runs", "random", "2"], PROCESSOR, "us"),
    "runs in process, mix": (["runs", "mix", "2"], PROCESSOR, "us"),
    "ints in order, in process": (["accesses", "int", "both", "first"], INSIDE, "ns"),
    "longs in order, in process": (["accesses", "long", "both", "first"], INSIDE, "ns"),
    "ints at random, in process": (["accesses", "int", "random", "first"], INSIDE, "ns"),
    "longs at random, in process": (["accesses", "long", "random", "first"], INSIDE, "ns"),
    "containers, in process": (["containers"], PROCESSOR, "us"),
}
# Of bench/programs: many threads with little work, allocation, arithmetic on shared arrays.
TWINS = ("reorder_20", "pbzip2", "splash_lu")
ACCESSES = [(kind, how, when) for when in ("again", "first") for how in ("read", "write") for kind in ("int", "long")]


def measure(bench):
    bench.make("bench_speed")
    bench.make("bench_programs")
    samples = collect(bench, 5 if bench.quick else 9)
    figures = {name: median(found) for name, found in samples.items()}
    problems = report(figures)
    bench.save("cost", {"unit": "ns for each run or access", "limit": LIMIT, "figures": figures, "samples": samples})
    return problems


def whole_programs(bench):
    """Lines of the first table that the fork server runs: program, options, runs."""
    speed, programs = bench.build / "bench" / "speed", bench.build / "bench" / "programs"
    runs = 500 if bench.quick else 1500
    return {"four threads, fork server, random": (speed / "four_threads", ["--strategy", "random"], runs),
            "four threads, fork server, mix": (speed / "four_threads", [], runs),
            "containers, fork server": (speed / "containers", ["--points", "sync"], runs),
            **{f"{name}, fork server": (programs / f"{name}_ok", [], runs // 2) for name in TWINS}}


def collect(bench, rounds):
    """Every measurement once in each round, so that what else the machine does hits them all alike."""
    folder = bench.build / "bench" / "speed"
    inside, native = str(folder / "in_process"), str(folder / "native")
    # ThreadSanitizer of g++ 12 cannot do with all the randomness of addresses that some kernels have.
    sanitized = ["setarch", platform.machine(), "-R", str(folder / "native_tsan")]
    samples = {}

    def sample(name, command, clock):
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise SystemExit(f"bench: {' '.join(command)}: exit {done.returncode}\n{done.stderr}")
        samples.setdefault(name, []).append(float(done.stdout.split()[clock]))

    for turn in range(rounds):
        progress(f"round {turn + 1} of {rounds}: in process")
        for name, (arguments, clock, _) in IN_PROCESS.items():
            sample(f"{name}: without", [inside, *arguments], clock)
            sample(f"{name}: with", [inside, *arguments, "checked"], clock)
        progress(f"round {turn + 1} of {rounds}: accesses")
        for access in ACCESSES:
            name = " ".join(access)
            sample(f"{name}: without", [inside, "accesses", *access], INSIDE)
            sample(f"{name}: with", [inside, "accesses", *access, "checked"], INSIDE)
            sample(f"{name}: sanitizer", [*sanitized, "accesses", *access], PROCESSOR)
            sample(f"{name}: native", [native, "accesses", *access], PROCESSOR)
        for name, (program, options, runs) in whole_programs(bench).items():
            progress(f"round {turn + 1} of {rounds}: {name}")
            for way, checks in (("without", CHECKS_OFF), ("with", ())):
                found = fork_server(bench, program, [*options, *checks], runs)
                samples.setdefault(f"{name}: {way}", []).append(found[PROCESSOR])
    progress("")
    return samples


def report(figures):
    lines, problems = [], []
    units = {name: unit for name, (_, _, unit) in IN_PROCESS.items()}
    for name in [key.removesuffix(": with") for key in figures if key.endswith(": with")]:
        if tuple(name.split()) in ACCESSES:
            continue
        unit = units.get(name, "us")
        scale = 1e3 if unit == "us" else 1
        without, checked = figures[f"{name}: without"] / scale, figures[f"{name}: with"] / scale
        ratio = checked / without
        lines.append([name, number(without, 2), number(checked, 2), unit, f"{ratio:.2f}x", f"<= {LIMIT:.0f}x",
                      "met" if ratio <= LIMIT else "missed"])
        if ratio > LIMIT:
            problems.append(f"{name}: {ratio:.2f} times as long with the checks, target {LIMIT:.0f}")
    table(["a run, or an increment", "without", "with", "", "ratio", "target", ""], lines)

    print()
    lines = []
    for access in ACCESSES:
        kind, how, when = access
        ways = [figures[f"{' '.join(access)}: {way}"] for way in ("native", "sanitizer", "without", "with")]
        lines.append([f"{how} of {'an int' if kind == 'int' else 'a long'}, {when}", *[number(way) for way in ways],
                      f"{ways[3] / ways[1]:.2f}x"])
    table(["ns for an access", "native", "ThreadSanitizer", "Snag without", "Snag with", "with / ThreadSanitizer"], lines)
    return problems
