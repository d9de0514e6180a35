"""snag gen on classes that many use: how much of them is called, and what is reported, ten minutes each. What is not
thread-safe on purpose has to be found within a second."""
import json
import subprocess
import tempfile

from measure.common import last_line, number, progress, read_tsv, table

ENOUGH = 0.9  # of the public methods
PROMPT = 1.0  # seconds to a violation where nothing is thread-safe
SECONDS = 600


def generate(bench, row, *options):
    """snag gen --json with these options; a text that says why if there is nothing."""
    command = [bench.snag, "gen", "--json", "--quiet", "--class", row["class"]]
    for header in row["headers"].split():
        command += ["--header", header if header.startswith("<") else bench.root / "tests" / "commands" / "gen" / header]
    with tempfile.TemporaryDirectory(prefix="snag-bench.") as folder:
        done = subprocess.run([*map(str, command), *map(str, options), *row["options"].split()], capture_output=True,
                              text=True, check=False, stdin=subprocess.DEVNULL, cwd=folder)
    if done.returncode not in (0, 1):
        return f"exit {done.returncode}: {last_line(done.stderr)}"
    return json.loads(done.stdout)


def study(bench, row, seconds):
    progress(f"{row['class']}, {seconds:g} s")
    listed = generate(bench, row, "--list")
    found = generate(bench, row, "--keep-going", "--seed", 1, "--time", seconds)
    return row["class"], listed, found


def methods_of(violation):
    return " | ".join(", ".join(thread) for thread in violation["methods"])


def measure_studied(bench, rows, problems):
    seconds = bench.options.twin_seconds or (10 if bench.quick else SECONDS)
    sessions = bench.in_parallel([lambda row=row: study(bench, row, seconds) for row in rows])
    progress("")
    lines, details = [], []
    for name, listed, found in sessions:
        trouble = next((result for result in (listed, found) if isinstance(result, str)), None)
        if trouble:
            problems.append(f"{name}: {trouble}")
            continue
        missing = sum(left["kind"] == "method" for left in listed["left_out"])
        called = len(listed["methods"])
        if called < ENOUGH * (called + missing):
            problems.append(f"{name}: {called} of {called + missing} methods are called only")
        coverage, kinds = found["coverage"], {}
        for violation in found["violations"]:
            kinds.setdefault(violation["kind"], []).append(violation)
        lines.append([name, f"{called}/{called + missing}", f"{coverage['covered']}/{coverage['pairs']}",
                      number(found["tests"]), number(found["runs"]), found["unjudged"], found["unconfirmed"],
                      ", ".join(f"{len(each)} {kind}" for kind, each in kinds.items()) or "nothing"])
        details += [f"{name}: {kind}, {each['count']} times: {methods_of(each)}"
                    for kind, all_of_it in kinds.items() for each in all_of_it]
    print(f"classes that many use, {seconds:g} s each")
    table(["class", "methods", "pairs", "tests", "schedules", "not judged", "not confirmed", "reported"], lines)
    print("\n".join(details))
    return {"seconds": seconds, "rows": lines, "reports": details}


def measure_unsafe(bench, rows, problems):
    lines = []
    for row in rows:
        times = []
        for seed in range(1, 6):
            progress(f"{row['class']}, seed {seed}")
            found = generate(bench, row, "--seed", seed, "--time", 30, "--shrink-time", 0)
            if isinstance(found, str) or not found["violations"]:
                problems.append(f"{row['class']}, seed {seed}: {found if isinstance(found, str) else 'nothing was found'}")
                continue
            times.append(found["violations"][0]["seconds"])
        if times:
            lines.append([row["class"], f"{min(times):.2f}", f"{max(times):.2f}"])
            if max(times) >= PROMPT:
                problems.append(f"{row['class']}: {max(times):.2f} s until a violation, target < {PROMPT:g}")
    progress("")
    print("not thread-safe on purpose: seconds until a violation, least and most of five seeds")
    table(["class", "least", "most"], lines)
    return lines


def measure(bench):
    problems = []
    rows = [row for row in read_tsv(bench.root / "tests" / "commands" / "gen" / "real_classes.tsv")
            if (bench.options.programs or "") in row["class"]]
    unsafe = measure_unsafe(bench, [row for row in rows if row["in the study"] == "not thread-safe"], problems)
    print()
    studied = measure_studied(bench, [row for row in rows if row["in the study"] == "studied"], problems)
    bench.save("real-classes", {"not_thread_safe": unsafe, "studied": studied, "problems": problems})
    return problems
