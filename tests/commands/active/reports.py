"""Real reports of other tools, made on the spot, which `snag active --report` must confirm.

Each race and lock order in them has to be read: they are counted here with a plain search. Each of the programs has that
bug, so each has to be confirmed, and its trace has to replay.
"""

import pathlib
import platform
import re

from snagtest import ROOT, each, expect, run, skip

FLAGS = ("-std=c++20", "-O1", "-g", "-pthread")
HERE = pathlib.Path(__file__).resolve().parent
STUDY = ROOT / "bench" / "papers" / "active" / "programs"
RACES = r"WARNING: ThreadSanitizer: (data race|heap-use-after-free)|Possible data race during|Conflicting (load|store) by"
LOCK_ORDERS = r"lock-order-inversion \(potential deadlock\) \(pid|lock order \".*\" violated"
# ThreadSanitizer cannot see the races of the study: the programs order their threads by other means.
OF_TOOL = {
    "gcc": ("reported/races", "reported/freed", "deadlock_ab_ba", "deadlock_of_three", "deadlock_rwlock"),
    "clang": ("reported/races", "reported/freed", "deadlock_ab_ba", "deadlock_transfer"),
    "helgrind": ("reported/races", "race_lazy", "race_two_locks", "deadlock_ab_ba", "deadlock_of_three"),
    "drd": ("reported/races", "race_lazy", "race_object", "race_counter"),
}
COMPILERS = {"gcc": ("g++",), "clang": ("clang++-19", "clang++", "clang++-14")}
CASES = {f"{tool}.{name.rpartition('/')[2]}": (tool, name) for tool, names in OF_TOOL.items() for name in names}


def sanitizing_compiler(tool):
    """A compiler that can link with ThreadSanitizer."""
    for name in COMPILERS[tool]:
        try:
            if run(name, "-fsanitize=thread", "-x", "c++", "-", "-o", "probe", stdin="int main() {}", code=None).code == 0:
                return name
        except FileNotFoundError:
            continue
    return skip(f"no {tool} that links with -fsanitize=thread")


def report_of(tool, source):
    """What the tool and the program write."""
    if tool in COMPILERS:
        run(sanitizing_compiler(tool), *FLAGS, "-fsanitize=thread", source, "-o", "reported")
        around = ("setarch", platform.machine(), "-R")
    else:
        run("g++", *FLAGS, source, "-o", "reported")
        around = ("valgrind", f"--tool={tool}")
    return run(*around, "./reported", code=None).text


@each(CASES)
def check(test, parameters):
    tool, name = parameters
    source = HERE / f"{name}.cc" if "/" in name else STUDY / f"{name}.cc"
    text = report_of(tool, source)
    counts = [len(re.findall(pattern, text)) for pattern in (RACES, LOCK_ORDERS)]
    expect(sum(counts) > 0, f"{tool} reports nothing about {source.name}", text)
    pathlib.Path("report.txt").write_text(text)
    program = test.compile(source, "program")
    done = test.snag("active", "--report", "report.txt", "--json", "--quiet", "--seed", "1", "--shrink-time", "0", "--file",
                     "verdicts", "--", program, code=None)
    expect(done.code == 1, f"exit code {done.code}", text, done)
    result = done.json()
    report = result["report"]
    expect([report["races"], report["lock_orders"]] == counts, f"{counts} were reported, but {report} was read", text)
    for entry in report["entries"]:
        line = text.splitlines()[entry["line"] - 1]
        expect(re.search(RACES if entry["kind"] == "race" else LOCK_ORDERS, line), f"{entry} is not at '{line}'")
        expect(entry["verdict"] == "confirmed", f"line {entry['line']} is not confirmed: {entry}", text, done)
    for trace in {candidate["trace"] for candidate in result["candidates"]}:
        test.snag("replay", trace, code=1)
