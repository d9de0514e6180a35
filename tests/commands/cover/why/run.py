"""`snag cover why` on why.cc: what it says about pairs that can and cannot be covered."""

import pathlib

from snagtest import case, expect, prepare

SOURCE = pathlib.Path(__file__).resolve().parent / "why.cc"


@prepare
def explain(test):
    """Measures and explains once; the data file and the explanation are shared."""
    program = test.compile(SOURCE, "why")
    test.snag("cover", "--control", "--runs", "60", "--seed", "1", "--", program)
    pathlib.Path("why.txt").write_text(test.snag("cover", "why", "--runs", "60", "--", program).out, encoding="utf-8")


def line_of(comment):
    """"why.cc:13" for the line that ends in the comment."""
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    return f"why.cc:{1 + next(i for i, line in enumerate(lines) if line.endswith('// ' + comment))}"


def paragraphs(test):
    """The lines about each pair, by (first place, second place)."""
    result, current = {}, None
    for line in (test.shared / "why.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            words = line.replace(",", "").split()
            places = [word for word in words if word.startswith("why.cc:")]
            current = result.setdefault(tuple(":".join(place.split(":")[:2]) for place in places), [])
        elif current is not None:
            current.append(line.strip())
    expect(result, "nothing is explained")
    return result


@case
def no_data(test):
    test.snag("cover", "why", "--", test.shared / "why", code=2, says="measure first")


@case
def one_lock(test):
    """Two threads deposit under a lock: after one's read always comes its own write."""
    text = paragraphs(test).get((line_of("withdraw reads"), line_of("deposit writes")))
    expect(text, "no paragraph about the account", str(paragraphs(test)))
    expect(any("seems impossible: both are done under one lock" in line and
               line_of("withdraw locks") in line and line_of("deposit locks") in line for line in text), "no reason", text)
    expect(any(line.startswith("under one lock: mutex, taken at") for line in text), "no lock", text)
    expect(any(line.startswith("nearest: run") for line in text), "no nearest run", text)


def expect_ordered_by_start_or_join(test, first, second):
    text = paragraphs(test).get((line_of(first), line_of(second)))
    expect(text and any("by the start or the join of a thread" in line for line in text), "no reason",
           str(paragraphs(test)))
    expect("never in this order" in text, "the order is not called impossible", text)


@case
def thread_start(test):
    """The thread cannot read before main has configured."""
    expect_ordered_by_start_or_join(test, "thread reads", "main configures")


@case
def thread_join(test):
    """The thread cannot read after main has joined it."""
    expect_ordered_by_start_or_join(test, "main ends", "thread reads")


@case
def possible_pairs(test):
    """A pair that is covered, or can be, is not called impossible."""
    expect((line_of("main configures"), line_of("thread reads")) not in paragraphs(test), "called impossible")


@case
def proposals(test):
    data = ("-i", test.shared / "snag.cover")
    proposed = test.snag("cover", "prune", "--propose", *data).out
    expect(f"lp: read at {line_of('withdraw reads')} in withdraw() then write at {line_of('deposit writes')} in "
           "deposit()" in proposed, "the pair of the account is not proposed", proposed)
    pathlib.Path("snag.prune").write_text(proposed, encoding="utf-8")
    test.snag("cover", "report", test.shared / "snag.cover")
    again = test.snag("cover", "prune", "--propose", *data).out
    expect(again == "", "a pruned pair is proposed again", again)
