"""The compilers' plugins: grouped hooks must report the same accesses as individual hooks, for each address in the same
order, and a native run must report none. See listener.cc.
"""

import collections
import pathlib

from snagtest import ROOT, each, expect, option, prepare, run

HERE = pathlib.Path(__file__).resolve().parent
LEVELS = ("O0", "O1", "O2", "O3", "Os", "Og")
COMMON = ("-std=c++20", "-g", f"-I{ROOT}")
# The modes of listener.cc.
NATIVE, GROUPED, INDIVIDUAL = 0, 1, 2

option("--compiler", default="g++")


@prepare
def compile_listener(test):
    run(test.options.compiler, *COMMON, "-O1", "-c", HERE / "listener.cc", "-o", "listener.o")


def listen(program, mode):
    """The counts that the listener prints, and the accesses for each address."""
    # Without address randomisation the addresses of all runs are the same.
    first, *accesses = run("setarch", "-R", program, mode).out.splitlines()
    words = first.split()
    by_address = collections.defaultdict(list)
    for access in accesses:
        what, address = access.split()
        by_address[address].append(what)
    return dict(zip(words[::2], map(int, words[1::2]))), by_address


@each({level: level for level in LEVELS})
def check(test, level):
    flags = test.snag("flags", "--compiler", test.options.compiler).out.split()
    expect(any("plugin" in flag for flag in flags), f"no plugin for {test.options.compiler}", flags)
    run(test.options.compiler, *flags, *COMMON, f"-{level}", "-c", HERE / "shapes.cc", "-o", "shapes.o")
    run(test.options.compiler, "shapes.o", test.shared / "listener.o", "-o", "shapes")
    native_counts, native = listen("./shapes", NATIVE)
    grouped_counts, grouped = listen("./shapes", GROUPED)
    individual_counts, individual = listen("./shapes", INDIVIDUAL)
    if level != "O0":
        expect(not native_counts["members"] and not native_counts["others"] and not native,
               "a native run reports accesses", native_counts)
        expect(grouped_counts["groups"] >= 50, "hardly any access is in a group", grouped_counts)
        expect(not individual_counts["groups"], "there are groups in the individual mode", individual_counts)
    expect(sum(map(len, individual.values())) >= 200, "hardly any access is reported")
    differences = [f"{address}: in groups {grouped.get(address)}, individually {individual.get(address)}"
                   for address in sorted(grouped.keys() | individual.keys())
                   if grouped.get(address) != individual.get(address)]
    expect(not differences, "groups report other accesses", *differences[:20])
