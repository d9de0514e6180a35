"""What measuring location pairs costs a program that runs freely: processor time against the plain program and against
ThreadSanitizer, in turns; medians. Memory beside it."""
import os
import pathlib
import platform
import subprocess
import tempfile

from measure.common import median, number, progress, table

PROGRAMS = {"moldyn": [], "sor": [], "hash_map": [], "queue": []}
COMPILERS = ("g++", "clang")
WAYS = ("native", "tsan", "snag", "cover")
PRIVATE_ROUNDS = "20000"
PRIVATE_SIZES = (8, 4, 2, 1)
ACCESSES_A_SECOND = 50e6
SUITES = ("thread_pool_suite", "hash_map_suite")
SUITE_TARGET = 3.0  # of the plain suite's processor time, with all that the tool does
HALVES = 6  # of the eight, in which it takes at most half of what ThreadSanitizer does


def measure(bench):
    bench.make("bench_cover")
    samples = collect(bench, 5 if bench.quick else 9)
    figures = {name: [median(values) for values in zip(*found)] for name, found in samples.items()}
    problems = report(figures)
    bench.save("cover", {"unit": "processor seconds, KiB; private: accesses a second", "figures": figures,
                         "samples": samples})
    return problems


def collect(bench, rounds):
    """Every measurement once in each round, so that what else the machine does hits them all alike."""
    folder = bench.build / "bench" / "cover"
    samples = {}

    def run(program, compiler, way, arguments):
        binary = str(folder / f"{program}_{compiler}_{'snag' if way == 'cover' else way}")
        # ThreadSanitizer of g++ 12 cannot do with all the randomness of addresses that some kernels have.
        around = ["setarch", platform.machine(), "-R"] if way == "tsan" else []
        command = [str(folder / "timed"), *(["cover"] if way == "cover" else []), "--", *around, binary, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise SystemExit(f"bench: {' '.join(command)}: exit {done.returncode}\n{done.stderr}")
        first, *rest = done.stdout.splitlines()
        seconds, memory, _ = first.split()
        return float(seconds), float(memory), rest

    for turn in range(rounds):
        for suite in SUITES:
            progress(f"round {turn + 1} of {rounds}: {suite}")
            for way in ("native", "cover"):
                samples.setdefault(f"{suite} {way}", []).append((run_suite(bench, folder, suite, way),))
        for program, arguments in PROGRAMS.items():
            progress(f"round {turn + 1} of {rounds}: {program}")
            for compiler in COMPILERS:
                for way in WAYS:
                    seconds, memory, _ = run(program, compiler, way, arguments)
                    samples.setdefault(f"{program} {compiler} {way}", []).append((seconds, memory))
        for compiler in COMPILERS:
            for size in PRIVATE_SIZES:
                rate = float(run("private", compiler, "cover", [PRIVATE_ROUNDS, str(size)])[2][0])
                samples.setdefault(f"private {compiler} {size}", []).append((rate,))
    progress("")
    return samples


def run_suite(bench, folder, suite, way):
    """Processor seconds of a whole test suite, as users run it: with the tool and what it does after the run."""
    with tempfile.TemporaryDirectory() as scratch:
        data = pathlib.Path(scratch) / "data"
        command = [str(folder / f"{suite}_native")]
        if way == "cover":
            command = [str(bench.build / "bin" / "snag"), "cover", "--quiet", "-o", str(data), "--",
                       str(folder / f"{suite}_snag")]
        before = os.times()
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        after = os.times()
    if done.returncode != 0:
        raise SystemExit(f"bench: {' '.join(command)}: exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr}")
    return after.children_user + after.children_system - before.children_user - before.children_system


def report_suites(figures):
    problems = []
    for suite in SUITES:
        native, cover = (figures[f"{suite} {way}"][0] for way in ("native", "cover"))
        print(f"{suite}: {native:.2f} s natively, {cover:.2f} s with coverage: {cover / native:.1f}x "
              f"(target < {SUITE_TARGET:.0f}x)")
        if cover >= SUITE_TARGET * native:
            problems.append(f"{suite}: {cover / native:.1f} times the plain processor time, target < {SUITE_TARGET:.0f}")
    return problems


def report(figures):
    lines, problems, halves = [], [], 0
    for program in PROGRAMS:
        for compiler in COMPILERS:
            seconds, memory = {}, {}
            for way in WAYS:
                seconds[way], memory[way] = figures[f"{program} {compiler} {way}"]
            ratio = seconds["cover"] / seconds["tsan"]
            halves += ratio <= 0.5
            lines.append([f"{program}, {compiler}", number(seconds["native"], 2),
                          *[f"{seconds[way] / seconds['native']:.1f}x" for way in ("snag", "tsan", "cover")],
                          f"{ratio:.2f}", "< 1", "met" if ratio < 1 else "missed",
                          *[number(memory[way] / 1024) for way in ("native", "tsan", "cover")]])
            if ratio >= 1:
                problems.append(f"{program}, {compiler}: {ratio:.2f} times ThreadSanitizer's processor time, target < 1")
    table(["program", "native s", "hooks off", "ThreadSanitizer", "coverage", "/ ThreadSanitizer", "target", "",
           "native MiB", "ThreadSanitizer", "coverage"], lines)
    print(f"\nat most half of ThreadSanitizer's time in {halves} of {len(lines)} (target {HALVES})")
    if halves < HALVES:
        problems.append(f"at most half of ThreadSanitizer's time in {halves} only, target {HALVES}")
    for compiler in COMPILERS:
        rates = [figures[f"private {compiler} {size}"][0] for size in PRIVATE_SIZES]
        print(f"accesses of a thread to {', '.join(map(str, PRIVATE_SIZES))} bytes of its own, {compiler}: "
              f"{', '.join(number(rate / 1e6) for rate in rates)} million a second (target {number(ACCESSES_A_SECOND / 1e6)})")
        if min(rates) < ACCESSES_A_SECOND:
            problems.append(f"{compiler}: {number(min(rates) / 1e6)} million accesses a second, target 50")
    return problems + report_suites(figures)
