"""Resident memory of the tool and of the fork server, early and late in a search: schedules must not accumulate."""
import json
import subprocess
import tempfile
import time

from measure.common import number, table

# Growth that counts: what one allocation more or less of a buffer may cost is noise.
TOLERATED_KB = 512


def measure(bench):
    bench.make("bench_speed")
    checkpoints = [200, 1_000] if bench.quick else [1_000, 2_500, 5_000, 7_500, 10_000]
    program = bench.build / "bench" / "speed" / "four_threads"
    problems, results, lines = [], [], []
    for strategy in ("mix", "random", "dfs"):
        samples = watch(bench, program, strategy, checkpoints)
        results.append({"strategy": strategy, "samples": samples})
        for who in ("tool", "server"):
            sizes = [sample[who] for sample in samples]
            lines.append([f"{who}, {strategy}", *map(number, sizes), number(sizes[-1] - sizes[0])])
            if sizes[-1] - sizes[0] > TOLERATED_KB:
                problems.append(f"{strategy}: the {who} grows from {sizes[0]:,} to {sizes[-1]:,} KiB "
                                f"between schedule {checkpoints[0]:,} and {checkpoints[-1]:,}")
    table(["KiB after schedules", *map(number, checkpoints), "growth"], lines)
    bench.save("memory", {"checkpoints": checkpoints, "results": results})
    return problems


def watch(bench, program, strategy, checkpoints):
    """Runs a search and reads /proc meanwhile. The rate is steady, so the time tells the number of schedules."""
    with tempfile.TemporaryDirectory(prefix="snag-bench.") as folder:
        command = [bench.snag, "run", "--json", "--quiet", "--seed", "1", "--strategy", strategy, "--out", folder,
                   "--runs", str(checkpoints[-1]), "--", program]
        tool = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        samples = []
        while tool.poll() is None:
            server = first_child(tool.pid)
            sizes = (resident(tool.pid), resident(server)) if server else (None, None)
            if None not in sizes:
                samples.append((time.monotonic(), *sizes))
            try:
                tool.wait(0.01)
            except subprocess.TimeoutExpired:
                pass
        report = json.loads(tool.stdout.read())
    runs, (start, end) = report["runs"], (samples[0][0], samples[-1][0])
    result = []
    for checkpoint in checkpoints:
        # dfs may have seen everything before that.
        due = start + (end - start) * min(1, checkpoint / runs)
        _, tool_size, server_size = min(samples, key=lambda sample: abs(sample[0] - due))
        result.append({"runs": min(checkpoint, runs), "tool": tool_size, "server": server_size})
    return result


def first_child(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            children = file.read().split()
    except OSError:
        return None
    return int(children[0]) if children else None


def resident(pid):
    """KiB in memory, shared pages included; None if the process is gone."""
    try:
        with open(f"/proc/{pid}/status") as file:
            for line in file:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1])
    except OSError:
        pass
    return None
