"""`snag run --strategy cover`: it pursues the pairs of pursuit.cc, and what it has covered replays."""

import pathlib

from snagtest import case, expect, prepare

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE / "pursuit.cc"


@prepare
def compile_programs(test):
    test.compile(SOURCE, "pursuit", opt="-O0")
    test.compile(HERE / "pursuit_failing.cc", "failing")


def line_of(comment):
    """"pursuit.cc:13" for the line that ends in the comment."""
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    return f"pursuit.cc:{1 + next(i for i, line in enumerate(lines) if line.endswith('// ' + comment))}"


def measure(test, program):
    test.snag("cover", "--control", "--runs", "1", "--seed", "1", "--", test.shared / program)


def search(test, program, *options, code=0):
    return test.json("run", "--strategy", "cover", "--seed", "1", "--json", *options, "--", test.shared / program, code=code)


def check_agreement(test, result):
    """The result of the search agrees with its data file."""
    report = test.json("cover", "report", "--json", "--covered")
    total = report["totals"]["lp"]
    expect((result["covered"], result["target"]) == (total["covered"], total["target"]), "other totals", result, total)
    covered = {pair["text"] for pair in report["covered"] if pair["metric"] == "lp"}
    for pair in result["pairs"]:
        expect(pair["end"].startswith("covered") == (pair["pair"] in covered), "the data file disagrees", pair)


@case
def no_data(test):
    test.snag("run", "--strategy", "cover", "--", test.shared / "pursuit", code=2)


@case
def covers_both_orders(test):
    measure(test, "pursuit")
    result = search(test, "pursuit", "--runs", "60")
    report = test.json("cover", "report", "--json", "--covered")
    covered = {pair["text"].partition(", on ")[0] for pair in report["covered"] if pair["metric"] == "lp"}

    def is_covered(first, second):
        return any(line_of(first) in text.partition(" then ")[0] and line_of(second) in text.partition(" then ")[2]
                   for text in covered)

    expect(is_covered("changes", "looks"), "the write and then the read is not covered", sorted(covered))
    expect(is_covered("looks", "changes"), "the read and then the write is not covered", sorted(covered))
    expect(not is_covered("is told", "begins"), "an impossible pair is said to be covered")
    missing = [pair for pair in result["pairs"] if pair["end"] == "not covered"]
    expect(any(line_of("begins") in pair["pair"].partition(" then ")[2] for pair in missing),
           "the impossible pair is not listed", result["pairs"])
    traces = [pair["trace"] for pair in result["pairs"] if pair["end"] == "covered"]
    expect(traces, "one schedule cannot have covered both orders", result["pairs"])
    for trace in traces:
        test.snag("replay", trace, code=1, says="identical")
    check_agreement(test, result)


@case
def time_limit(test):
    measure(test, "failing")
    result = search(test, "failing", "--runs", "40", "--time", "0.001")
    expect(result["not_tried"] > 0, "--time does not end the search", result)


@case
def failing_runs(test):
    """Runs that fail also cover pairs, and each failure is reported once."""
    measure(test, "failing")
    result = search(test, "failing", "--runs", "40", "--keep-going", code=1)
    check_agreement(test, result)
    expect(result["not_tried"] == 0, "not all pairs were tried", result)
    expect(len(result["failures"]) == 1, "the failure is reported more than once", result)
    report = test.json("cover", "report", "--json")
    expect(sum(measurement["failed_runs"] for measurement in report["measurements"]) > 0, "no run has failed", report)
