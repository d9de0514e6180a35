"""What the recorder of coverage (runtime/cover*) writes for the programs of programs/, freely and under control.

The head of a program says `modes: free control`, and what is expected of each metric; metrics that are not named are not
checked. Places are the letters at the ends of lines: `// A`.

  lp, target, du, du-target, mp   pairs, as A>B; with `context: N` the callers of a place follow it, as A/B
  cmp                             counts, as A,B=2
  locks                           A:blocked A:blocking, and A: for a lock that was neither

`metrics: N` are the driver's bits, one measurement for each; with `expected: program` the program prints the
expectations as `expect lp A>B`; `compilers: g++ clang++-19` names compilers to use instead of g++.
"""

import pathlib
import re

from snagtest import each, expect, option, path, run, sources

HERE = pathlib.Path(__file__).resolve().parent
METRICS = {"lp": 0, "target": 0, "du": 1, "du-target": 1, "mp": 2, "cmp": 3}
COVERED, TARGET = 4, 8
LOCK, BLOCKED, BLOCKING = 16, 32, 64

option("--driver", type=path, help="the driver, cover_driver")


def read_head(lines):
    head = {}
    for line in lines:
        found = re.match(r"// ([a-z-]+):(.*)", line)
        if found:
            head[found[1]] = found[2].split()
    return head


class Places:
    """From an address in the executable to the letter of its line."""

    def __init__(self, program, source, lines):
        self.program, self.source = program, source
        self.letters = {}
        for number, line in enumerate(lines, 1):
            found = re.search(r"// ([A-Z])$", line)
            if found:
                self.letters[number] = found[1]
        self.known = {}

    def letter(self, address):
        if address not in self.known:
            text = run("addr2line", "-i", "-e", self.program, hex(int(address, 16) - 1)).out
            # Functions of the library are inlined: take the innermost place in the program itself.
            lines = re.findall(re.escape(self.source.name) + r":(\d+)", text)
            self.known[address] = self.letters.get(int(lines[0]), "") if lines else ""
        return self.known[address]

    def name(self, place):
        letters = [self.letter(address) for address in place.split("/")]
        return "/".join(letters) if all(letters) else ""


def metrics_of(head):
    # Lines cost nothing, so they are always measured.
    return head.get("metrics") or ["63" if "mp" in head or "cmp" in head or "locks" in head else "19"]


def measure(driver, mode, metrics, head, program):
    words = [f"metrics={metrics}"]
    if "context" in head:
        words.append(f"context={head['context'][0]}")
    runs = head.get("runs", ["1"])[0]
    words.append(f"runs={runs}")
    done = run(driver, mode, *words, "--", program)
    return [line.split() for line in done.out.splitlines()], int(runs)


def found_pairs(records, places, metric, flag):
    pairs = {}
    for record in records:
        if record[0] != "pair" or int(record[1]) != METRICS[metric] or not int(record[2]) & flag:
            continue
        names = places.name(record[4]), places.name(record[5])
        if all(names):
            pairs[names] = pairs.get(names, 0) + int(record[3])
    return pairs


def problems_of(mode, records, runs, head, places):
    problems = []

    def compare(metric, found):
        expected = set(head[metric])
        if set(found) != expected:
            problems.append(f"{mode}: {metric}: not expected: {sorted(set(found) - expected)}, "
                            f"missing: {sorted(expected - set(found))}")

    for metric in METRICS:
        if metric not in head:
            continue
        flag = TARGET if metric.endswith("target") else COVERED
        pairs = found_pairs(records, places, metric, flag)
        if metric == "cmp":
            compare(metric, [f"{a},{b}={n}" for (a, b), n in sorted(
                {tuple(sorted(names)): n for names, n in pairs.items()}.items())])
        else:
            compare(metric, [f"{a}>{b}" for a, b in pairs])
    if "locks" in head:
        locks = {}
        for record in records:
            if record[0] == "location" and int(record[1]) & LOCK:
                letter = places.letter(record[2].split("/")[0])
                if letter:
                    locks[letter] = locks.get(letter, 0) | int(record[1])
        found = []
        for letter, seen in locks.items():
            found += [f"{letter}:blocked"] * bool(seen & BLOCKED) + [f"{letter}:blocking"] * bool(seen & BLOCKING)
            found += [f"{letter}:"] * (not seen & (BLOCKED | BLOCKING))
        compare("locks", found)
    if ", control" in mode:
        ends = [int(record[2]) for record in records if record[0] == "end"]
        if ends != [1] * runs:
            problems.append(f"{mode}: the runs ended as {ends}")
    lost = next(record for record in records if record[0] == "lost")
    if lost[1:] != ["0"] * 4:
        problems.append(f"{mode}: lost {lost[1:]}")
    return problems


@each({name.partition(".")[2]: source for name, source in sources(HERE / "programs").items()})
def check(test, source):
    lines = source.read_text().splitlines()
    head = read_head(lines)
    problems = []
    for compiler in head.get("compilers", ["g++"]):
        program = test.compile(source, f"{source.stem}-{compiler}", compiler=compiler)
        places = Places(program, source, lines)
        for mode in head["modes"]:
            for metrics in metrics_of(head):
                records, runs = measure(test.options.driver, mode, metrics, head, program)
                printed = {record[1]: record[2:] for record in records if record[0] == "expect"}
                if head.get("expected") == ["program"]:
                    expect(printed and all(printed.values()), f"{compiler}, {mode}: the program expects nothing")
                problems += problems_of(f"{compiler}, {mode}, metrics {metrics}", records, runs, head | printed, places)
    expect(not problems, "\n".join(problems))
