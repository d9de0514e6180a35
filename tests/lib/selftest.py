"""The harness itself: a case that should fail does fail, by itself."""

import pathlib
import sys

from snagtest import ROOT, SKIPPED, case, expect, expect_equal, run

SCRIPT = '''
import pathlib
from snagtest import case, each, expect, option, prepare, run, skip

option("--word", default="none")

@prepare
def make(test):
    pathlib.Path("made").write_text(test.options.word)

@case
def passes(test):
    expect((test.shared / "made").read_text() == test.options.word, "not prepared")
    expect(not list(test.folder.iterdir()), "the folder is not empty")
    pathlib.Path("left").write_text("")

@case
def passes_too(test):
    expect(not list(test.folder.iterdir()), "the folder has files of another case")

@case
def fails(test):
    expect(False, "the reason", run("echo", "the details"))

@case
def is_wrong(test):
    return no_such_name

@case
def hangs(test):
    run("sh", "-c", "tail -f /dev/null & wait", timeout=0.2)

@case
def is_skipped(test):
    skip("no such machine")

@each({"exit_code": {"code": 0}, "says": {"code": 3, "says": "other"}, "matches": {"code": 3, "matches": "^x"},
       "silent_about": {"code": 3, "silent_about": "tex"}})
def unexpected(test, expectations):
    run("sh", "-c", "echo text; exit 3", **expectations)
'''


def run_script(*arguments, **expectations):
    pathlib.Path("script.py").write_text(SCRIPT)
    return run(sys.executable, ROOT / "tests" / "lib" / "run.py", "script.py", "--snag", "/bin/true", *arguments,
               **expectations)


@case
def lists(test):
    expect_equal(run_script("--list").out.split(), ["prepare", "passes", "passes_too", "fails", "is_wrong", "hangs",
                                                    "is_skipped", "exit_code", "says", "matches", "silent_about"],
                 "wrong list")


@case
def passes(test):
    run_script("--case", "passes", "--case", "passes_too", "--word", "given", says="2 passed, 0 failed")


@case
def failures_do_not_hide_each_other(test):
    run_script(code=1, says=["2 passed, 7 failed, 1 skipped", "the reason\n$ echo 'the details'\nthe details",
                             "NameError: name 'no_such_name' is not defined", "still running after 0.2 s",
                             "exit code 3 instead of 0", "the output lacks 'other'", "nothing in the output matches '^x'",
                             "the output contains 'tex'"])


@case
def skipped(test):
    run_script("--case", "is_skipped", code=SKIPPED, says="no such machine")


@case
def shared_files(test):
    """They are made once, and found by a case of another process."""
    run_script("--case", "prepare", "--shared", "files", "--word", "given")
    expect_equal(pathlib.Path("files/made").read_text(), "given", "not made")
    run_script("--case", "passes", "--shared", "files", "--word", "given", silent_about="prepare")
    run_script("--case", "passes", "--shared", "files", code=1, says="not prepared")


@case
def unknown_case(test):
    done = run_script("--case", "nowhere", code=1, says="there is no case nowhere")
    expect("passed" not in done.text, "something was run", done)
