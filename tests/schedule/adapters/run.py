#!/usr/bin/env python3
"""Looks at what a test framework says about the tests of <framework>_cases.cc: in its list, with a filter, for those
that pass and for those that fail.

Usage: run.py gtest|catch2|doctest <program>
"""

import subprocess
import sys
import tempfile
import xml.etree.ElementTree

# What each failing test must say; each in a run of its own.
REASONS = {
    "checked": ["second -> first", "first"],
    "enforced": ["second -> first"],
    "unreached": ["forgotten"],
    "exception": ["the mailbox burns"],
    "syntax": ["first -> -> second", "^", "expected"],
    "unknown": ["fisrt", "first"],
    "cycle": ["first -> second -> first"],
    "name": ["with-dash", "use letters, digits, _ and spaces"],
    "twice": ["two schedules with the name \"twice\""],
    "plain": ["forgotten"],
    "assertion": ["1 + 1"],
}


class Framework:
    """How to ask a framework for its tests; the names of the tests, and of those that fail, with the reason."""

    def __init__(self, program, list_option, run_option, passing, failing, wildcard):
        self.program = program
        self.list_option = list_option
        self.run_option = run_option
        self.passing = passing
        self.failing = failing
        self.wildcard = wildcard  # a filter, and what it selects

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=120)
        return done.returncode, done.stdout

    def run_tests(self, names):
        return self.run(self.run_option(names))


def gtest(program):
    framework = Framework(
        program, "--gtest_list_tests", lambda names: "--gtest_filter=" + names,
        ["PassMailbox.Take/blocks", "PassMailbox.Take/finds it there", "PassMailbox.PlainTestOfTheSameSuite",
         "PassFixture.Take/blocks", "PassFixture.Take/finds it there", "PassFixture.PlainTestOfTheSameFixture",
         "PassSkipped.EventsOfASkippedTestAreNotMissed"],
        {"FailOrder.Checked/passively": "checked", "FailOrder.Enforced/for ever": "enforced",
         "FailUnreached.Event/never": "unreached", "FailException.OfAThread/thrown": "exception",
         "FailText.Schedule/syntax": "syntax", "FailText.Schedule/unknown": "unknown",
         "FailText.Schedule/cycle": "cycle", "FailName.Schedule/with?dash": "name", "FailName.Schedule/twice": "twice",
         "FailPlain.Unmet": "plain", "FailAssertion.InTheBody/as usual": "assertion"},
        ("*.Take/*", ["PassMailbox.Take/blocks", "PassMailbox.Take/finds it there", "PassFixture.Take/blocks",
                      "PassFixture.Take/finds it there"]))
    framework.listed = gtest_list
    framework.junit_options = lambda file: [f"--gtest_output=xml:{file}"]
    return framework


def gtest_list(output):
    names, suite = [], None
    for line in output.splitlines():
        line = line.partition("  # ")[0]
        if line.startswith("  "):
            names.append(suite + line.strip())
        else:
            suite = line
    return names


def catch2(program):
    names = {"checked/passively": "checked", "enforced/for ever": "enforced", "unreached/never": "unreached",
             "exception/thrown": "exception", "text/syntax": "syntax", "text/unknown": "unknown",
             "text/cycle": "cycle", "name/with-dash": "name", "plain": "plain", "assertion/as usual": "assertion"}
    framework = Framework(
        program, "--list-test-names-only", lambda names: names,
        ["pass: take/blocks", "pass: take/finds it there", "pass: sections/in order", "pass: plain",
         "pass: fixture/blocks", "pass: fixture/finds it there"],
        {"fail: " + name: reason for name, reason in names.items()},
        ("[mailbox],[fixture]", ["pass: take/blocks", "pass: take/finds it there", "pass: fixture/blocks",
                                 "pass: fixture/finds it there"]))
    framework.listed = lambda output: output.splitlines()
    framework.junit_options = lambda file: ["-r", "junit", "-o", file]
    if framework.run(framework.list_option)[0] != 0:  # version 3
        framework.list_option = "--list-tests"
        framework.listed = lambda output: [line[2:] for line in output.splitlines()
                                           if line.startswith("  ") and not line.startswith("   ")]
    return framework


def doctest(program):
    framework = catch2(program)
    framework.list_option = "--list-test-cases"
    framework.run_option = lambda names: "--test-case=" + names
    framework.passing[2] = "pass: subcases/in order"
    framework.failing["fail: name/twice"] = "twice"
    framework.junit_options = lambda file: ["-r=junit", f"-o={file}"]
    framework.wildcard = ("pass: take/*,pass: fixture/*", framework.wildcard[1])
    framework.listed = lambda output: [line for line in output.splitlines()
                                       if not line.startswith("[doctest]") and not line.startswith("====")]
    return framework


def check(condition, text, output):
    if not condition:
        sys.exit(f"{text}; the program said:\n{output}")


def main():
    name, program = sys.argv[1:]
    framework = {"gtest": gtest, "catch2": catch2, "doctest": doctest}[name](program)

    # The list has each test with each schedule.
    _, output = framework.run(framework.list_option)
    listed = framework.listed(output)
    wanted = [*framework.passing, *[test.replace("?", "-") for test in framework.failing]]
    check(sorted(set(listed)) == sorted(wanted), f"not the list of {sorted(wanted)}", output)

    # One by its name, and some by a filter.
    for test in framework.passing:
        code, output = framework.run_tests(test)
        check(code == 0, f"{test} does not pass", output)
        check(ran(framework, test) == [test], f"{test} is not what its name selects", output)
    pattern, selected = framework.wildcard
    code, output = framework.run_tests(pattern)
    check(code == 0, f"{pattern} does not pass", output)
    check(ran(framework, pattern) == sorted(selected), f"{pattern} selects something else", output)

    # Those that fail do so for their reason; and all of them in one run, so that none harms the others.
    for test, reason in framework.failing.items():
        code, output = framework.run_tests(test)
        check(code > 0, f"{test} does not fail", output)
        for text in REASONS[reason]:
            check(text in " ".join(output.split()),  # Catch2 breaks long lines
                  f"{test} does not say '{text}'", output)
        check(reason != "assertion" or "never came" not in " ".join(output.split()),
              f"{test} was given up, and yet misses what comes after", output)
    with tempfile.NamedTemporaryFile(suffix=".xml") as file:
        code, output = framework.run(*framework.junit_options(file.name))
        check(code > 0, "the whole run does not fail", output)
        cases = list(xml.etree.ElementTree.parse(file.name).iter("testcase"))
    failed = {case.get("name") for case in cases if case.find("failure") is not None or case.find("error") is not None}
    wanted = {test.replace("?", "-") for test in framework.failing}
    if name == "gtest":
        wanted = {test.partition(".")[2] for test in wanted}
    check(failed == wanted, f"in the whole run, {sorted(failed)} fail instead of {sorted(wanted)}", output)


def ran(framework, names):
    """The tests that a filter selects, in the order of their names."""
    _, output = framework.run(framework.list_option, framework.run_option(names))
    return sorted(framework.listed(output))


if __name__ == "__main__":
    main()
