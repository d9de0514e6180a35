"""The failure of every example, replayed many times while the other core is busy: all replays must be identical."""
import json
import os
import subprocess
import tempfile

from measure.common import last_line, progress, table


def measure(bench):
    times = 50 if bench.quick else 1000
    problems, results, lines = [], [], []
    # Addresses are left to chance, which the tool else prevents. The load is one process, and ends by itself should we
    # be killed.
    os.environ["SNAG_ASLR"] = "1"
    load = subprocess.Popen(["sh", "-c", "ulimit -t 1800; while :; do :; done"])
    try:
        with tempfile.TemporaryDirectory(prefix="snag-bench.") as folder:
            for source in sorted((bench.root / "examples").glob("*.cc")):
                if (bench.options.programs or "") not in source.stem or not is_program(source):
                    continue
                progress(source.stem)
                result = replay(bench, source, folder, times)
                results.append({"example": source.stem, **result})
                if result["identical"] != times:
                    problems.append(f"{source.stem}: {result['verdict']}")
                lines.append([source.stem, result["kind"], result["verdict"]])
    finally:
        load.kill()
        load.wait()
    progress("")
    table(["example", "failure", "replays"], lines)
    with open("/proc/sys/kernel/randomize_va_space") as setting:
        aslr = setting.read().strip()
    print(f"ASLR {aslr}; a busy process ran beside them")
    bench.save("determinism", {"times": times, "aslr": aslr, "results": results})
    return problems


def is_program(source):
    """Tests that explore in process have no trace files; their replay tokens are tested in tests/explore. And an example of
    coverage is correct: it says so, and has nothing to replay."""
    text = source.read_text()
    return "int main(" in text and not text.startswith("// Nothing is wrong here")


def replay(bench, source, folder, times):
    result = {"kind": "-", "identical": 0, "verdict": "-"}
    program = os.path.join(folder, source.stem)
    built = subprocess.run([bench.snag, "c++", "-O1", "-g", "-std=c++20", "-pthread", source, "-o", program],
                           capture_output=True, text=True)
    if built.returncode != 0:
        return {**result, "verdict": f"does not compile: {last_line(built.stderr)}"}
    found = subprocess.run([bench.snag, "run", "--json", "--quiet", "--seed", "1", "--out", folder, "--", program],
                           capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
    if found.returncode != 1:
        return {**result, "verdict": f"no failure found: exit {found.returncode}"}
    failure = json.loads(found.stdout)["failures"][0]
    result["kind"] = failure["kind"]
    trace = os.path.join(folder, failure["trace"])
    done = subprocess.run([bench.snag, "replay", "--json", "--times", str(times), trace],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=900)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return {**result, "verdict": f"exit {done.returncode}: {last_line(done.stderr)}"}
    return {**result, "identical": report["identical"], "exit": done.returncode,
            "verdict": f"{report['identical']} of {times} identical"}
