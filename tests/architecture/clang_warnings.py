#!/usr/bin/env python3
"""Checks that clang has no warnings about the product and its unit tests, without a second build: the compiler's front
end reads each source of the build tree (compile_commands.json) as g++ was told to, and stops there.

    clang_warnings.py BUILD [--clang clang++-19] [--jobs N]

Exits with 1 if there is any. It takes about five minutes of processor time, so it is a part of CI and not a test.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The tests in tests/ are programs for Snag, some of them wrong on purpose; GCC's own headers are not for clang.
LEFT_OUT = re.compile(r"(tests|bench|examples|plugins/gcc)/|.*(\.S|cmake_pch\.hxx\.cxx)$")
# What clang does not know, what a front end does not need, and the warning about g++'s precompiled header.
DROPPED = re.compile(r"-fno-gnu-unique|-fno-tree-slp-vectorize|-Winvalid-pch|-O[0-3]|-g[0-3]?|-c")
# clang knows fewer warnings by name, and reads the text of a header that g++ has precompiled. CMakeLists.txt says where
# libstdc++ uses what it deprecates.
ADDED = ["-fsyntax-only", "-Werror", "-Wno-unknown-warning-option", "-Wno-ignored-gch", "-Wno-deprecated-declarations"]


def sources(build):
    """The commands of a build tree by which the product and its unit tests are compiled."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        base = build if path.is_relative_to(build) else ROOT
        if not LEFT_OUT.match(str(path.relative_to(base))):
            yield entry


def command_of(entry, clang):
    words = shlex.split(entry["command"])
    result = [clang.replace("clang++", "clang") if entry["file"].endswith(".c") else clang]
    skip = False
    for word in words[1:]:
        if skip or DROPPED.fullmatch(word):
            skip = False
        elif word == "-o":
            skip = True
        else:
            result.append(word)
    return result + ADDED


def check(entry, clang):
    done = subprocess.run(command_of(entry, clang), cwd=entry["directory"], capture_output=True, text=True)
    return done.returncode, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--clang", default="clang++-19")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    entries = list(sources(arguments.build.resolve()))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for code, text in pool.map(lambda entry: check(entry, arguments.clang), entries):
            failed += code != 0
            if code != 0:
                print(text, end="", flush=True)
    print(f"{len(entries)} sources, {failed} with warnings")
    return failed != 0 or not entries


if __name__ == "__main__":
    sys.exit(main())
