"""`snag shrink`: the trace is replaced by a simpler one that replays, the failure stays the same, an interrupt keeps the
best so far, and bad input gets a sentence and the documented exit code.
"""

import json
import pathlib
import re
import shutil
import signal

from snagtest import case, each, expect, expect_equal, prepare

SOURCE = pathlib.Path(__file__).resolve().parent / "ring.cc"
# Random walks switch at every other step.
SEARCH = ("run", "--quiet", "--strategy", "random", "--seed", "1", "--runs", "20000")


@prepare
def find_bug(test):
    program = test.compile(SOURCE, "ring")
    report = test.json(*SEARCH, "--json", "--shrink-time", "0", "--out", "traces", "--", program, code=1)
    expect(report["failures"][0]["confirmed"], "the failure is not confirmed", report)
    trace = pathlib.Path("original.snag")
    shutil.copy(next(pathlib.Path("traces").iterdir()), trace)
    expect("shrunk" not in data_of(trace), "shrunk in spite of --shrink-time 0")
    pathlib.Path("switches").write_text(str(report["failures"][0]["switches"]))
    test.snag("shrink", "--quiet", "-o", "small.snag", trace, code=1, says="shrunk from")


def data_of(trace):
    return json.loads(pathlib.Path(trace).read_text(encoding="utf-8"))


def switches(test):
    """In the failure as it was found."""
    return int((test.shared / "switches").read_text())


def copy_of_original(test):
    return shutil.copy(test.shared / "original.snag", "trace.snag")


@case
def into_another_file(test):
    """What find_bug() has done: the trace itself stays, and the shrunk one has the same failure."""
    found = next((test.shared / "traces").iterdir())
    expect((test.shared / "original.snag").read_bytes() == found.read_bytes(), "the trace itself has changed")
    small, original = data_of(test.shared / "small.snag"), data_of(found)
    expect_equal(small["shrunk"]["from"], switches(test), "wrong number of switches before")
    expect(small["shrunk"]["to"] < switches(test), "no fewer switches", small["shrunk"])
    expect_equal(small["failure"]["location"], original["failure"]["location"], "another failure")
    expect_equal(small["points"], original["points"], "other schedule points")


@case
def shrunk_trace_replays(test):
    small = test.shared / "small.snag"
    test.snag("replay", "--times", "20", small, code=1, says="20 of 20 identical")
    test.snag("replay", small, code=1, says=f"shrunk from {switches(test)}")
    test.snag("replay", "--by-position", small, code=1, says="failed in the same way")


@case
def in_place(test):
    trace = copy_of_original(test)
    test.snag("shrink", "--quiet", "--json", trace, code=1, matches='"switches_after": [0-9]')
    expect_equal(data_of(trace)["shrunk"]["from"], switches(test), "wrong number of switches before")


@case
def shrunk_again(test):
    """The number of switches of the original trace is kept."""
    trace = shutil.copy(test.shared / "small.snag", "trace.snag")
    test.snag("shrink", "--quiet", trace, code=1, says="shrunk")
    expect_equal(data_of(trace)["shrunk"]["from"], switches(test), "wrong number of switches before")


@case
def by_snag_run(test):
    test.snag(*SEARCH, "--shrink-time", "100", "--", test.shared / "ring", code=1,
              says=f"switches (shrunk from {switches(test)})")


@case
def no_time(test):
    """Nothing better is found, and nothing is lost."""
    trace = copy_of_original(test)
    test.snag("shrink", "--quiet", "--time", "0.000001", trace, code=1, says="switches")
    test.snag("replay", trace, code=1, says="identical")


@case
def interrupt(test):
    """An interrupt keeps the best so far."""
    trace = copy_of_original(test)
    process = test.start("timeout", "--preserve-status", "--signal", "INT", "0.5", test.snag_path, "shrink", "--quiet",
                         "--thorough", "--time", "100", trace)
    done = test.finish(process)
    expect(done.code in (1, 128 + signal.SIGINT), f"exit code {done.code}", done)
    test.snag("replay", trace, code=1, says="identical")


# Case: exit code, a pattern for the output, the arguments of snag; traces are copied from the shared folder.
BAD_INPUT = {
    "no_trace": (2, "no trace was given", "shrink"),
    "two_traces": (2, "one trace at a time", "shrink", "small.snag", "original.snag"),
    "missing_trace": (2, "cannot read .*nowhere.snag.*No such file", "shrink", "nowhere.snag"),
    "cut_trace": (2, "cut off or damaged", "shrink", "cut.snag"),
    "damaged_trace": (2, "damaged", "shrink", "damaged.snag"),
    "time": (2, "seconds", "shrink", "--time", "0", "small.snag"),
    "unwritable": (70, "cannot write", "shrink", "--quiet", "-o", "none/such/small.snag", "original.snag"),
    "another_run": (5, "does not come back", "shrink", "another.snag"),
}


@each({f"bad_input.{name}": row for name, row in BAD_INPUT.items()})
def bad_input(test, row):
    small, original = (pathlib.Path(shutil.copy(test.shared / name, name)).read_text(encoding="utf-8")
                       for name in ("small.snag", "original.snag"))
    pathlib.Path("cut.snag").write_text(small[:300])
    pathlib.Path("damaged.snag").write_text(re.sub(r'"from":[0-9]*', '"from":"many"', small))
    pathlib.Path("another.snag").write_text(re.sub(r'"event_hash": "[0-9a-f]*"', '"event_hash": "0000000000000001"', original))
    code, pattern, *arguments = row
    test.snag(*arguments, code=code, matches=pattern)


@case(name="bad_input.run_shrink_time")
def run_shrink_time(test):
    test.snag("run", "--shrink-time", "-1", "--", test.shared / "ring", code=2, says="shrink-time")


@case
def changed_program(test):
    """The program has changed, then it is gone."""
    program = pathlib.Path(shutil.copy(test.shared / "ring", "ring"))
    test.snag(*SEARCH, "--shrink-time", "0", "--out", "traces", "--", "./ring", code=1)
    trace = next(pathlib.Path("traces").iterdir())
    with open(program, "ab") as file:
        file.write(b"\0")
    test.snag("shrink", trace, code=3, says="has changed since")
    program.unlink()
    test.snag("shrink", trace, code=3, matches="no program|cannot")
