"""Programs of verdicts/, about which each verdict of `snag active` must be true.

The first lines of a program say what is expected, for each seed:

  // confirmed: KIND [TEXT]   such a candidate is confirmed (with the text in its title)
  // never: KIND              no candidate of that kind is confirmed
  // met: KIND                a failure of that kind is met on the way
  // unmet: KIND              none is
  // harmful: yes|no          at least one confirmed race is called harmful, or none is
  // consequences: TEXT       the text is in the consequences of at least one of them
  // unsaid: TEXT             the text is in the consequences of none of them
  // explained: yes           something happened, and the failure that followed belongs to another candidate
  // consistent: yes          no check that is seen to fail is said to hold
  // watched: N               the number of watched runs
  // traces: N                the number of traces written
  // shrink: both             also with a shorter schedule of each failure
  // libs: FLAG...            for the linker
  // plugin: yes              with -DPLUGIN it is also made into ./plugin.so

The traces must replay, there must be no others, and a second call shows no failure as new and does not try candidates
again that another candidate explains.
"""

import pathlib
import re

from snagtest import each, expect, option, sources

HERE = pathlib.Path(__file__).resolve().parent
HEADER = re.compile(r"// (confirmed|never|met|unmet|harmful|consequences|unsaid|explained|consistent|watched|traces|shrink|libs|plugin):"
                    r" (.+)")

option("--seeds", type=int, default=3)


def expectations(source):
    found = {}
    for line in source.read_text(encoding="utf-8").splitlines():
        match = HEADER.match(line)
        if not match:
            break
        found.setdefault(match.group(1), []).append(match.group(2))
    expect(found, "the program expects nothing")
    return found


def active(test, program, name, seed, shrink):
    return test.json("active", "--json", "--quiet", "--seed", seed, "--runs", "20", "--shrink-time", shrink, "--out", name,
                     "--file", f"{name}.active", "--", program, code=1)


def check_verdicts(result, expected, where):
    def check(condition, what):
        expect(condition, f"{where}: {what}", result)

    confirmed = [c for c in result["candidates"] if c["verdict"] == "confirmed"]
    races = [c for c in confirmed if c["kind"] == "race"]
    for wanted in expected.get("confirmed", []):
        kind, _, text = wanted.partition(" ")
        check(any(c["kind"] == kind and text in c["title"] for c in confirmed), f"not confirmed: {wanted}")
    for kind in expected.get("never", []):
        check(all(c["kind"] != kind for c in confirmed), f"confirmed: {kind}")
    for kind in expected.get("met", []):
        check(any(f["kind"] == kind for f in result["failures"]), f"not met: {kind}")
    for kind in expected.get("unmet", []):
        check(all(f["kind"] != kind for f in result["failures"]), f"met on the way: {kind}")
    for word in expected.get("harmful", []):
        check(any(c["harmful"] for c in races) == (word == "yes"), f"harmful is not: {word}")
    for text in expected.get("consequences", []):
        check(any(text in c["consequences"] for c in races), f"not among the consequences: {text}")
    for text in expected.get("unsaid", []):
        check(all(text not in c["consequences"] for c in races), f"among the consequences: {text}")
    for number in expected.get("watched", []):
        check(result["watched_runs"] == int(number), f"{result['watched_runs']} runs were watched instead of {number}")
    if "explained" in expected:
        check(any(c.get("explained") for c in result["candidates"]), "no candidate is explained by another one")
    if "consistent" in expected:
        check(confirmed, "nothing was confirmed")
        for candidate in result["candidates"]:
            held = candidate["kind"] == "assertion" and candidate["verdict"] == "not reproduced"
            check(not held, "a check that fails is said to hold")


def traces_of(result):
    traces = {c["trace"] for c in result["candidates"] if c["verdict"] == "confirmed"}
    traces |= {c["failure_trace"] for c in result["candidates"] if "failure_trace" in c}
    traces |= {use["trace"] for c in result["candidates"] for use in c.get("more_uses", [])}
    return traces | {f["trace"] for f in result["failures"]}


def failures_of(result):
    return {(failure["kind"], failure["message"], failure["location"]) for failure in result["failures"]}


def check_seed(test, program, expected, seed, shrink):
    name, where = f"out-{seed}-{shrink}", f"seed {seed}, --shrink-time {shrink}"
    result = active(test, program, name, seed, shrink)
    check_verdicts(result, expected, where)
    written = {str(path) for path in pathlib.Path(name).glob("*")}
    expect(written == traces_of(result), f"{where}: the report and the folder of traces disagree",
           sorted(written ^ traces_of(result)))
    if "traces" in expected:
        expect(len(written) == int(expected["traces"][0]), f"{where}: {len(written)} traces", sorted(written))
    for trace in written:
        test.snag("replay", trace, code=1)
    again = active(test, program, name, seed + 1, shrink)
    repeated = failures_of(again) & failures_of(result)
    expect(not repeated, f"{where}: the second call shows known failures as new", sorted(map(str, repeated)))
    explained = {(c["kind"], c["title"]) for c in result["candidates"] if c.get("explained")}
    for candidate in again["candidates"]:
        if (candidate["kind"], candidate["title"]) in explained:
            expect(candidate["runs"] == candidate["earlier_runs"] and candidate.get("explained"),
                   f"{where}: the second call forgot the reason", candidate)


@each({name.partition(".")[2]: path for name, path in sources(HERE / "verdicts").items()})
def check(test, source):
    expected = expectations(source)
    program = test.compile(source, source.stem, *" ".join(expected.get("libs", [])).split())
    if "plugin" in expected:
        test.compile(source, "plugin.so", "-DPLUGIN", "-shared", "-fPIC")
    for seed in range(1, 2 * test.options.seeds, 2):
        for shrink in ("0", "1") if "shrink" in expected else ("0",):
            check_seed(test, program, expected, seed, shrink)
