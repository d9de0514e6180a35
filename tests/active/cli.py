#!/usr/bin/env python3
"""The command line of `snag active`: exit codes, the file of verdicts, kinds, and GoogleTest's checks.

Usage: cli.py <snag> <folder with impossible/ and programs/>
"""

import json
import pathlib
import subprocess
import sys
import tempfile

GOOGLE_TEST = r"""
#include <gtest/gtest.h>
#include <atomic>
#include <thread>
std::atomic<int> noise = 0, state = 0;
void Work() {
  for (int i = 0; i < 10; ++i) noise.fetch_add(1);
}
TEST(Machine, IsNeverHalfDone) {
  std::thread machine([] {
    Work();
    state = 1;
    state = 2;
    Work();
  });
  Work();
  EXPECT_NE(state.load(), 1);
  machine.join();
}
"""


def run(*command, cwd):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=200, cwd=cwd,
                          check=False)


def expect(condition, what, done=None):
    if not condition:
        sys.exit(f"{what}\n{done.stdout + done.stderr if done else ''}")


def expect_exit(done, code, text=""):
    expect(done.returncode == code and text in done.stdout + done.stderr,
           f"exit code {done.returncode}, expected {code} and '{text}'", done)


def check_bad_lines(snag, folder, program):
    active = (snag, "active", "--quiet")
    expect_exit(run(*active, cwd=folder), 2)
    expect_exit(run(*active, "--", folder / "missing", cwd=folder), 3)
    expect_exit(run(*active, "--", "/bin/true", cwd=folder), 3)
    expect_exit(run(*active, "--cycle", "9", "--", program, cwd=folder), 2, "--cycle")
    expect_exit(run(*active, "--strategy", "random", "--", program, cwd=folder), 2, "active, assert")
    expect_exit(run(*active, "--runs", "0", "--", program, cwd=folder), 2, "--runs")
    (folder / "other.txt").write_text("something else")
    expect_exit(run(*active, "--file", "other.txt", "--", program, cwd=folder), 2, "--file")
    expect((folder / "other.txt").read_text() == "something else", "a file of something else was overwritten")


def check_going_on(snag, folder, program):
    """What was not reproduced is tried further by the next call, and kinds that were not asked for are not."""
    command = (snag, "active", "--json", "--quiet", "--race", "--watch", "1", "--runs", "5", "--seed", "1", "--",
               program)
    first = json.loads(run(*command, cwd=folder).stdout)
    second = json.loads(run(*command, cwd=folder).stdout)
    expect(first["candidates"] and {c["kind"] for c in first["candidates"]} == {"race"}, "no races were predicted")
    before = {c["title"]: c for c in first["candidates"]}
    for candidate in second["candidates"]:
        known = before[candidate["title"]]
        expect(known["runs"] == 5 and candidate["earlier_runs"] == 5 and candidate["runs"] == 10,
               f"the second call did not go on: {known} {candidate}")
        expect(candidate["verdict"] == "not reproduced" and candidate["closest"], f"no verdict: {candidate}")


def check_google_test(snag, folder):
    (folder / "test.cc").write_text(GOOGLE_TEST)
    done = run(snag, "c++", "-std=c++20", "-O1", "-g", "-pthread", "test.cc", "-o", "test", "-lgtest", "-lgtest_main",
               cwd=folder)
    expect_exit(done, 0)
    done = run(snag, "active", "--assert", "--quiet", "--json", "--shrink-time", "0", "--seed", "1", "--file", "gtest",
               "--", "./test", cwd=folder)
    expect_exit(done, 1)
    confirmed = [c for c in json.loads(done.stdout)["candidates"] if c["verdict"] == "confirmed"]
    expect(len(confirmed) == 1 and "GoogleTest at test.cc:17" in confirmed[0]["title"], "not the check", done)


def main():
    snag, study = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = folder / "flag_race"
        expect_exit(run(snag, "c++", "-std=c++20", "-O1", "-g", "-pthread", study / "impossible" / "flag_race.cc", "-o",
                        program, cwd=folder), 0)
        check_bad_lines(snag, folder, program)
        check_going_on(snag, folder, program)
        check_google_test(snag, folder)


if __name__ == "__main__":
    main()
