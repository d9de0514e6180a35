"""What a test framework says about the tests of <framework>_cases.cc: in its list, with a filter, about tests that pass and
tests that fail.
"""

import xml.etree.ElementTree

from snagtest import case, each, expect, expect_equal, option, path, run

option("--framework", choices=("gtest", "catch2", "doctest"))
option("--program", type=path, help="the tests, built with that framework")

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
    """How to ask a framework for its tests; the names of the passing tests, and of the failing ones with the reason."""

    def __init__(self, program, list_option, run_option, passing, failing, wildcard):
        self.program = program
        self.list_option = list_option
        self.run_option = run_option
        self.passing = passing
        self.failing = failing
        self.wildcard = wildcard  # a filter, and what it selects

    def run(self, *arguments):
        return run(self.program, *arguments, code=None)

    def run_tests(self, names):
        return self.run(self.run_option(names))

    def selected(self, names):
        """The tests that a filter selects, in the order of their names."""
        return sorted(self.listed(self.run(self.list_option, self.run_option(names)).out))

    def failing_names(self):
        return sorted(test.replace("?", "-") for test in self.failing)


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
    if framework.run(framework.list_option).code != 0:  # version 3
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


def framework_of(test):
    return {"gtest": gtest, "catch2": catch2, "doctest": doctest}[test.options.framework](test.options.program)


@case
def listed(test):
    """The list has each test with each schedule."""
    framework = framework_of(test)
    done = framework.run(framework.list_option)
    expect_equal(sorted(set(framework.listed(done.out))), sorted([*framework.passing, *framework.failing_names()]),
                 "wrong list", done)


@case
def passing(test):
    """Each passing test, selected by its name."""
    framework = framework_of(test)
    for name in framework.passing:
        done = framework.run_tests(name)
        expect(done.code == 0, f"{name} does not pass", done)
        expect_equal(framework.selected(name), [name], f"the name {name} selects other tests")


@case
def filtered(test):
    framework = framework_of(test)
    pattern, selected = framework.wildcard
    done = framework.run_tests(pattern)
    expect(done.code == 0, f"{pattern} does not pass", done)
    expect_equal(framework.selected(pattern), sorted(selected), f"{pattern} selects other tests")


@each({f"fails_{reason}": reason for reason in REASONS})
def fails(test, reason):
    """A failing test fails for its reason."""
    framework = framework_of(test)
    names = [name for name, its_reason in framework.failing.items() if its_reason == reason]
    expect(names, f"no test fails because of {reason}")
    for name in names:
        done = framework.run_tests(name)
        expect(done.code > 0, f"{name} does not fail", done)
        text = " ".join(done.text.split())  # Catch2 breaks long lines
        for part in REASONS[reason]:
            expect(part in text, f"{name} does not say '{part}'", done)
        expect(reason != "assertion" or "never came" not in text,
               f"{name} ended early, but is said to miss the events that follow", done)


@case
def whole_run(test):
    """All in one run, so that no failing test harms the others."""
    framework = framework_of(test)
    done = framework.run(*framework.junit_options("report.xml"))
    expect(done.code > 0, "the whole run does not fail", done)
    cases = xml.etree.ElementTree.parse("report.xml").iter("testcase")
    failed = {found.get("name") for found in cases if found.find("failure") is not None or found.find("error") is not None}
    wanted = framework.failing_names()
    if test.options.framework == "gtest":
        wanted = [name.partition(".")[2] for name in wanted]
    expect_equal(sorted(failed), sorted(wanted), "wrong tests fail", done)
