"""What an event of a schedule costs in a plain program; medians of processor time."""
import subprocess

from measure.common import median, progress, table

# What is measured -> how it is called, and the most that it may take, in ns.
WHAT = {"none": ("an event without a schedule", 5),
        "unmentioned": ("with a schedule that does not mention it", 50),
        "mentioned": ("with a schedule that mentions and allows it", None),
        "lock": ("a free mutex, locked and unlocked, without a schedule", None),
        "lock-active": ("with a schedule", None)}


def measure(bench):
    bench.make("bench_schedule")
    program = str(bench.build / "bench" / "speed" / "events")
    samples = {what: [] for what in WHAT}
    rounds = 5 if bench.quick else 15
    for turn in range(rounds):
        progress(f"round {turn + 1} of {rounds}")
        for what, found in samples.items():
            done = subprocess.run([program, what], capture_output=True, text=True, timeout=120, check=True)
            found.append(float(done.stdout.split()[1]))
    figures = {what: median(found) for what, found in samples.items()}
    table(["ns", "median", "at most"],
          [[text, f"{figures[what]:.1f}", "" if limit is None else str(limit)] for what, (text, limit) in WHAT.items()])
    bench.save("schedule", {"unit": "ns", "figures": figures, "samples": samples})
    return [f"{text} takes {figures[what]:.1f} ns, more than {limit}" for what, (text, limit) in WHAT.items()
            if limit is not None and figures[what] > limit]
