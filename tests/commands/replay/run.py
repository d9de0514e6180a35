"""A trace outlives edits: the failure comes back exactly in the same binary, and by source positions after an unrelated
edit. After a fix it does not come back. A trace that does not fit says where.
"""

import pathlib

from snagtest import ROOT, case, option, prepare

ACCOUNT = ROOT / "tests" / "commands" / "replay" / "account.cc"
EDITED = ("#include <vector>\nstd::vector<int> more(3);\n" + ACCOUNT.read_text(encoding="utf-8")).replace(
    "// EDIT: here", "// Some more text.\n\n  int unrelated = 0;\n  ++unrelated;")
FIX = "static std::mutex both; std::lock_guard guard(both);"

option("--opt", default="-O1")


@prepare
def find_bug(test):
    program = test.compile(ACCOUNT, "account", opt=test.options.opt)
    test.snag("run", "--quiet", "--seed", "1", "--out", "traces", "--", program, code=1, says="confirmed by a replay")


def trace_of(test):
    return test.shared / "traces" / "account-assert-1.snag"


def replay_in(test, source, **expectations):
    """Replays the trace in another program."""
    pathlib.Path("account.cc").write_text(source, encoding="utf-8")
    program = test.compile("account.cc", "account", opt=test.options.opt)
    test.snag("replay", "--program", program, trace_of(test), **expectations)


@case
def same_binary(test):
    test.snag("replay", trace_of(test), "--times", "25", code=1, says="25 of 25 identical")


@case
def by_position(test):
    test.snag("replay", trace_of(test), "--by-position", code=1, says="1 of 1 failed in the same way")


@case
def unrelated_edit(test):
    replay_in(test, EDITED, code=1, says="the program has changed since")


@case
def fix(test):
    replay_in(test, EDITED.replace("// FIX: here", FIX), code=5, says="diverged at switch")


@case
def one_thread(test):
    """A program with one thread follows no switch at all."""
    replay_in(test, "int main() {}\n", code=5, says="diverged at switch 1 of")


@case
def cut_trace(test):
    pathlib.Path("cut.snag").write_bytes(trace_of(test).read_bytes()[:300])
    test.snag("replay", "cut.snag", code=2, says="it is cut off or damaged")


USE = """#include <thread>
struct Item { int value = 1; };
Item* item = new Item;
int seen;
void use() { seen = item->value; }
void drop() { delete item; }
int main() {
  // EDIT: here
  std::thread one(use), two(drop);
  one.join();
  two.join();
}
"""
RACE = """#include <thread>
int count;
void add() { ++count; }
int main() {
  // EDIT: here
  std::thread one(add), two(add);
  one.join();
  two.join();
}
"""


def search_again(test, source, kind, *options, edit, fixed):
    """A search for a failure that needs a check looks for it with that check."""
    pathlib.Path("found.cc").write_text(source, encoding="utf-8")
    program = test.compile("found.cc", "found", opt=test.options.opt)
    test.snag("run", "--quiet", "--seed", "1", "--out", "traces", *options, "--", program, code=1, says="confirmed by a replay")
    # After the edit, the switches of the trace cannot be made.
    pathlib.Path("found.cc").write_text(source.replace("// EDIT: here", edit), encoding="utf-8")
    program = test.compile("found.cc", "edited", opt=test.options.opt)
    trace = f"traces/found-{kind}-1.snag"
    test.snag("replay", "--program", program, "--or-search", "1000", trace, code=1, says=f"the {kind} came back within")
    pathlib.Path("found.cc").write_text(fixed, encoding="utf-8")
    program = test.compile("found.cc", "fixed", opt=test.options.opt)
    test.snag("replay", "--program", program, "--or-search", "100", trace, says="did not fail")


@case
def or_search_of_a_heap_error(test):
    # The race of the fixed program is not what the trace is about.
    search_again(test, USE, "heap", "--races=off", edit="std::thread zero([] {}), more([] {}); zero.join(); more.join();",
                 fixed=USE.replace("delete item;", "item->value = 2;"))


@case
def or_search_of_a_race(test):
    search_again(test, RACE, "race", "--races=fail", edit="std::thread zero(add); zero.join();",
                 fixed=RACE.replace("int count", "#include <atomic>\nstd::atomic<int> count"))
