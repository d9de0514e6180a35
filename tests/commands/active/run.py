"""The verdicts of `snag active` on the programs of bench/papers/active.

A program of programs/ says in its first line of what kind its bug is. Within 20 steered runs the bug must be confirmed,
its trace must replay, and the correct twin must have no report at all. In a program of impossible/ nothing may be
confirmed.
"""

import re

from snagtest import ROOT, each, expect, option, sources

STUDY = ROOT / "bench" / "papers" / "active"
RUNS = 20

option("--seeds", type=int, default=3)


def active(test, program, seed):
    """The Result and the data of a call whose verdicts are kept for the next one."""
    done = test.snag("active", "--json", "--quiet", "--runs", RUNS, "--shrink-time", "0", "--seed", seed, "--file",
                     f"{program.name}-{seed}.active", "--", program, code=None)
    return done, done.json()


def check_clean(test, program, seed):
    done, result = active(test, program, seed)
    confirmed = [c["title"] for c in result["candidates"] if c["verdict"] == "confirmed"]
    expect(done.code == 0 and not confirmed and not result["failures"], f"seed {seed}: a report on a correct program", done)


def check_buggy(test, program, kind, seed):
    done, result = active(test, program, seed)
    confirmed = [c for c in result["candidates"] if c["verdict"] == "confirmed" and c["kind"] == kind]
    expect(done.code == 1 and confirmed, f"seed {seed}: no {kind} confirmed", done)
    test.snag("replay", confirmed[0]["trace"], code=1)
    # The next call knows the verdict, and runs nothing for it.
    done, again = active(test, program, seed)
    known = [c for c in again["candidates"] if c["title"] == confirmed[0]["title"]]
    expect(done.code == 1 and known and known[0]["verdict"] == "confirmed" and known[0]["runs"] == confirmed[0]["runs"],
           f"seed {seed}: the second call does not continue where the first one stopped", done)


@each(sources(STUDY / "programs", STUDY / "impossible"))
def check(test, source):
    seeds = range(1, test.options.seeds + 1)
    if source.parent.name == "impossible":
        program = test.compile(source, "impossible")
        for seed in seeds:
            check_clean(test, program, seed)
        return
    kind = re.match(r"// kind: (\w+)", source.read_text(encoding="utf-8")).group(1)
    program = test.compile(source, "buggy")
    twin = test.compile(source, "twin", "-DCORRECT")
    for seed in seeds:
        check_buggy(test, program, kind, seed)
        check_clean(test, twin, seed)
