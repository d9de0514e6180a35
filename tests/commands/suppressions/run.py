"""`snag run --suppressions` and SNAG_BENIGN_RACE: what is suppressed, what is said about it, and bad files."""

import pathlib

from snagtest import ROOT, case, each, expect, prepare

SOURCE = pathlib.Path(__file__).resolve().parent / "racy.cc"


@prepare
def compile_program(test):
    test.compile(SOURCE, "racy", f"-I{ROOT / 'include'}")


# Case: the suppressions, the argument of racy.cc, and what is expected.
CASES = {
    "none": ("# nothing", "race", {"code": 1, "says": "data race on counter", "silent_about": "statistics"}),
    "function": ("race:^add$", "race", {"says": "suppression race:^add$ (line 1) kept away"}),
    "variable": ("race:counter", "race", {"says": "kept away"}),
    "file": ("race_top:racy.cc", "race", {"says": "kept away"}),
    "another_function": ("race:elsewhere", "race", {"code": 1, "says": "fitted nothing"}),
    "another_kind": ("heap:add", "race", {"code": 1, "says": "fitted nothing"}),
    "race_for_heap_error": ("race:add", "heap", {"code": 1, "says": "use after free"}),
    "heap": ("heap:use_after_free", "heap", {"says": "kept away 40 reports; these runs ended there"}),
    "mutex_and_race": ("mutex:unlock_too_much\nrace:add", "lock", {"says": "kept away"}),
    "lock": ("lock:^gate$", "lock", {"says": "kept away"}),
    "unused_kind": ("race:add\nthread:add", "race", {"says": "kind 'thread' mean nothing here"}),
    "lock_order_unsuppressed": ("# nothing", "orders", {"says": "are taken in both orders"}),
    "lock_order": ("deadlock:one_way", "orders", {"says": "kept away", "silent_about": "both orders"}),
    "bad_line": ("nonsense", "race", {"code": 2, "says": "file:1"}),
}


@each(CASES)
def check(test, row):
    suppressions, argument, expectations = row
    pathlib.Path("file").write_text(suppressions + "\n")
    test.snag("run", "--quiet", "--seed", "1", "--runs", "40", "--suppressions", "file", "--", test.shared / "racy", argument,
              **expectations)
    if not expectations.get("code"):
        expect(not list(pathlib.Path().glob("snag-traces/*")), "there is a trace of a suppressed failure")


@case
def missing_file(test):
    test.snag("run", "--suppressions", "missing", "--", test.shared / "racy", code=2)
