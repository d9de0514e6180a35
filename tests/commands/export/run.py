"""A small project with a bug, and the test that `snag export` makes of it: the test fails, also after unrelated edits, and
passes when the bug is fixed. If something keeps it from telling, it fails and says why.
"""

import pathlib
import shutil

from snagtest import ROOT, case, expect, option, prepare, run

ACCOUNT = (ROOT / "tests" / "commands" / "replay" / "account.cc").read_text(encoding="utf-8")
READER = """
#include <cassert>
#include <iostream>
#include <thread>
int total = 0;
int main() {
  int amount = 0;
  std::cin >> amount;
  auto add = [&] { total += amount; };
  std::thread one(add), two(add);
  one.join();
  two.join();
  assert(total == 2 * amount);
}
"""
# Unrelated edits: lines and functions above the bug, and a header.
EDITED = ("#include <vector>\nstd::vector<int> more(3);\nint count_more() {\n  return int(more.size());\n}\n\n" +
          ACCOUNT.replace("// EDIT: here", "// Some more text.\n\n  int unrelated = 0;\n  ++unrelated;"))

option("--compiler", default="g++")


def build(test, name, source):
    pathlib.Path("src").mkdir(exist_ok=True)
    pathlib.Path("build").mkdir(exist_ok=True)
    pathlib.Path(f"src/{name}.cc").write_text(source, encoding="utf-8")
    return test.compile(f"src/{name}.cc", f"build/{name}", compiler=test.options.compiler)


def build_test(test, source):
    # As exported, without any definition: it finds the program from its own folder.
    run(test.options.compiler, "-std=c++17", source.resolve(), "-o", "test_of_bug", "-lgtest_main", "-lgtest", "-pthread")


@prepare
def export(test):
    program = build(test, "account", ACCOUNT)
    test.snag("run", "--quiet", "--seed", "1", "--", program, code=1, says="confirmed by a replay")
    test.snag("export", "snag-traces/account-assert-1.snag", "-o", "tests", "--name", "lost_deposit",
              says="tests/lost_deposit_test.cc")
    build_test(test, pathlib.Path("tests/lost_deposit_test.cc"))


def run_test(test, program=None, snag=None, **expectations):
    """Runs the exported test from another folder; on another program than the project's if one is given."""
    return run(test.shared / "test_of_bug", cwd="/",
               env={"SNAG_TOOL": snag or test.snag_path, "LOST_DEPOSIT_PROGRAM": program}, **expectations)


@case
def finds_the_bug(test):
    run_test(test, code=1, says=["the bug is there", "assertion `account.get() == 2' failed"])


@case
def bad_command_lines(test):
    shutil.copytree(test.shared / "tests", "tests")
    trace = test.shared / "snag-traces" / "account-assert-1.snag"
    test.snag("export", trace, "-o", "tests", "--name", "lost_deposit", code=2, says="is there already")
    test.snag("export", trace, "--name", "lost deposit", code=2, says="needs a name of letters")
    test.snag("export", code=2, says="no trace was given")


@case
def names_no_folder_of_this_machine(test):
    for path in (test.shared / "tests").iterdir():
        expect(str(test.shared) not in path.read_text(encoding="utf-8"), f"{path.name} names {test.shared}")


@case
def after_unrelated_edits(test):
    run_test(test, build(test, "account", EDITED), code=1, says="the bug is there")


@case
def after_edits_around_the_bug(test):
    """The same bug in changed code is found by the search."""
    source = (EDITED.replace("// FIX: here", "std::this_thread::yield();")
              .replace("account.set(account.get() + 1);", "int seen = account.get(); account.set(seen + 1);")
              .replace("std::thread one(deposit), two(deposit);",
                       "std::thread zero([] {}), one(deposit), two(deposit); zero.join();"))
    run_test(test, build(test, "account", source), code=1, says="the bug is there")


@case
def another_failure(test):
    program = build(test, "account", EDITED.replace("// FIX: here", "static std::mutex both; both.lock();"))
    run_test(test, program, code=1, says="expected assert, but there was deadlock")


@case
def after_a_fix(test):
    program = build(test, "account",
                    EDITED.replace("// FIX: here", "static std::mutex both; std::lock_guard guard(both);"))
    run_test(test, program, says=["1 test", "[  PASSED  ]"])
    test.snag("replay", "--or-search", "1000", "--program", program, test.shared / "tests" / "lost_deposit.snag",
              says=["1000 other schedules (strategy mix, seed 1) did not fail", "could not be followed any more"])


@case
def cannot_tell(test):
    """A test that cannot tell does not pass."""
    run_test(test, test.folder / "none", code=1, says="snag could not tell (exit code 3)")
    run(test.options.compiler, "-std=c++20", test.shared / "src" / "account.cc", "-o", "plain", "-pthread")
    run_test(test, test.folder / "plain", code=1, says="was not built with")
    run_test(test, snag="/nowhere/snag", code=1, says="snag was not found")


@case
def standard_input(test):
    """It is part of the exported files."""
    program = build(test, "reader", READER)
    pathlib.Path("input").write_text("21\n")
    test.snag("run", "--quiet", "--seed", "1", "--stdin", "input", "--", program, code=1, says="confirmed by a replay")
    test.snag("export", "snag-traces/reader-assert-1.snag", "-o", "tests", says="reader_assert_1.stdin")
    pathlib.Path("input").unlink()
    build_test(test, pathlib.Path("tests/reader_assert_1_test.cc"))
    run(test.folder / "test_of_bug", cwd="/", code=1, says="the bug is there", env={"SNAG_TOOL": test.snag_path})
    # From any folder, as the test says.
    test.snag("replay", "tests/reader_assert_1.snag", code=1, says="1 of 1 identical")
    test.snag("shrink", "-o", "shrunk.snag", "tests/reader_assert_1.snag", code=1, says="switches")
