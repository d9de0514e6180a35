"""The debugging story of the location-pairs paper (section 5.4): four versions of an FTP server's connections."""
import functools
import re

from measure.common import table

VERSIONS = (("original", "ftp_original"), ("race-free", "ftp_race_free"), ("too coarse", "ftp_coarse"),
            ("fixed", "ftp_fixed"))
TIMERS = ("no-timer", "timer", "early")
CONNECTIONS = (2, 4, 8, 16)
PAPER_TARGET = {"race-free": 22, "fixed": 28}


class Source:
    """Names for the lines of the program, and where the paper's l1 to l8 are."""

    def __init__(self, path):
        self.lines = path.read_text().splitlines()
        self.labels = {}  # line: name
        for number, line in enumerate(self.lines, start=1):
            if match := re.search(r"// (l\d)$", line):
                self.labels[number] = match[1]

    def line_of(self, place):
        """The line of RequestHandler that makes the access: not that of Get, Set or Closed."""
        own = [frame for frame in place if frame[1] == "ftp_server.cc"
               and frame[0].rsplit("::")[-1] not in ("Get", "Set", "Closed")]
        return own[0][2]

    def label(self, place):
        return self.labels.get(self.line_of(place))

    def text(self, place):
        line = self.line_of(place)
        text = re.sub(r"\s*// l\d$", "", self.lines[line - 1].strip())
        return f"{self.label(place) or '  '} {line}: {text}"


def is_about_connections(pair):
    """Not the constructor: no other thread has the object yet, and the paper's target has no such pairs either."""
    return all(any(re.search(r"\bRequestHandler::(Run|Close)$", frame[0]) for frame in place) for place in pair)


def pairs(measured, which):
    """Of accesses to the fields of connections, in all iterations."""
    return {pair for pair in getattr(measured, which)("LP") if is_about_connections(pair)}


def show(source, title, shown):
    print(f"\n{title}")
    for first, second in sorted(shown, key=lambda pair: [source.line_of(place) for place in pair]):
        print(f"  {source.text(first)}\n    then {source.text(second)}")


def show_crashes(source, measured):
    """How often each pair was covered, and how often the pass crashed; each iteration is one pass. Returns the figures
    of (l1, l2)."""
    counts = {}
    for iteration in measured.iterations:
        for pair in filter(is_about_connections, iteration["covered"]["LP"]):
            covered, crashed = counts.get(pair, (0, 0))
            counts[pair] = covered + 1, crashed + bool(iteration["failed"])
    crashed = sum(bool(iteration["failed"]) for iteration in measured.iterations)
    print(f"\nthe race-free version, {len(measured.iterations):,} passes, of which {crashed:,} crashed; for each pair the "
          f"passes that\ncovered it, and those of them that crashed:")
    bug = None
    for pair, figures in sorted(counts.items(), key=lambda item: [-item[1][1] / item[1][0], -item[1][0]]):
        print(f"  {figures[0]:5,} {figures[1]:5,}   {source.text(pair[0])}\n"
              f"                then {source.text(pair[1])}")
        if (source.label(pair[0]), source.label(pair[1])) == ("l1", "l2"):
            bug = figures
    return bug


def measure(study):
    if (study.bench.options.programs or "") not in "ftp":
        return [], {}
    passes = 50 if study.bench.quick else 200
    source = Source(study.sources / "ftp_server.cc")
    configurations = [(version, timer, connections, count) for version in VERSIONS for timer in TIMERS
                      for connections, count in ([(c, 20) for c in CONNECTIONS] if timer != "early" else []) + [(2, passes)]]
    tasks = [functools.partial(study.measure, version[1], "--passes", count, "--keep-going",
                               arguments=(connections, timer)) for version, timer, connections, count in configurations]
    results = study.bench.in_parallel(tasks)

    target, covered, failed, paper_tests = {}, {}, {}, {}
    for (version, timer, connections, count), measured in zip(configurations, results):
        key = version[0], timer
        target.setdefault(version[0], set()).update(pairs(measured, "target"))
        covered.setdefault(key, set()).update(pairs(measured, "coverable"))
        failed[key] = failed.get(key, 0) + len(measured.iterations[0]["failed"])
        if count == 20:
            paper_tests.setdefault(key, []).append(len(pairs(measured, "coverable")))
    print(f"the FTP server: location pairs of the fields of connections; covered in 20 passes with each of "
          f"{', '.join(map(str, CONNECTIONS))} connections, and in {passes} more with 2; passes that crashed")
    rows = []
    for name, _ in VERSIONS:
        row = [name, f"{len(target[name])} ({PAPER_TARGET.get(name, '-')})"]
        for timer in TIMERS:
            key = name, timer
            detail = f" [{' '.join(map(str, paper_tests[key]))}]" if key in paper_tests else ""
            row.append(f"{len(covered[key])}{detail}, {failed[key]} failed")
        rows.append(row)
    table(["version", "target (paper)", "no timer", "timer closes", "timer closes early"], rows)

    everywhere = {name: covered[name, "timer"] | covered[name, "early"] for name, _ in VERSIONS}
    problems = []
    singles = study.measure("ftp_race_free", "--iterations", 10 * passes, "--passes", 1, arguments=(2, "timer"))
    bug = show_crashes(source, singles)
    if bug is None:
        problems.append("the pair (l1, l2) of the race-free version was not covered")
    if covered["too coarse", "no-timer"] | covered["too coarse", "timer"]:
        problems.append("a pair was covered in the version that is too coarse")
    if failed["fixed", "timer"] + failed["fixed", "early"] + failed["fixed", "no-timer"]:
        problems.append("the fixed version failed")
    show(source, "fixed: covered when the timer closes connections:", covered["fixed", "timer"])
    show(source, "fixed: covered only when it does so early:", covered["fixed", "early"] - covered["fixed", "timer"])
    uncovered = target["fixed"] - everywhere["fixed"]
    print(f"\nfixed: {len(uncovered)} of the {len(target['fixed'])} were never covered "
          f"(the paper prunes 28 to 5, and covers these)")
    return problems, {"ftp": {"target": {name: len(target[name]) for name, _ in VERSIONS},
                              "covered": {f"{name}, {timer}": len(covered[name, timer])
                                          for name, _ in VERSIONS for timer in TIMERS},
                              "failed": {f"{name}, {timer}": failed[name, timer]
                                         for name, _ in VERSIONS for timer in TIMERS},
                              "l1_l2": bug}}
