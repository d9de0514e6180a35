#!/usr/bin/env python3
"""Drives `snag replay --gdb` in gdb's batch mode: where it stops, the threads and their stacks, and that the run fails
as recorded whatever one does before.

Usage: run.py <snag> --backend user|futex --opt=-O0
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


class Failed(Exception):
    pass


class Case:
    """One program with its trace."""

    def __init__(self, args, folder, name, kind):
        self.snag = args.snag
        self.program = os.path.join(folder, name)
        source = os.path.join(HERE, name + ".cc")
        self.call("c++", "-std=c++20", "-g", args.opt, "-UNDEBUG", source, "-o", self.program)
        out = os.path.join(folder, name + "-traces")
        self.call("run", "--quiet", "--seed", "1", "--backend", args.backend, "--out", out, "--", self.program,
                  "an argument with 'quotes'", code=1)
        self.trace = os.path.join(out, f"{name}-{kind}-1.snag")
        with open(self.trace, encoding="utf-8") as file:
            self.steps = int(re.search(r'"steps": (\d+)', file.read()).group(1))

    def call(self, *words, code=0, environment=None):
        result = subprocess.run([self.snag, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                timeout=120, env={**os.environ, **(environment or {})})
        text = result.stdout + result.stderr
        if result.returncode != code:
            raise Failed(f"exit code {result.returncode} instead of {code} of snag {' '.join(words)}\n{text}")
        return text

    def gdb(self, *commands):
        words = ["replay", "--gdb", self.trace, "--", "-nx", "-batch"]
        # gdb's exit code is that of the last command, and some are to be refused.
        for command in [*commands, "print 0"]:
            words += ["-ex", command]
        text = self.call(*words)
        if "Python Exception" in text or "Traceback" in text or "corrupt stack" in text:
            raise Failed(f"an error in the script:\n{text}")
        return text


def expect(text, *patterns):
    """All of them, in this order."""
    position = 0
    for pattern in patterns:
        match = re.compile(pattern, re.MULTILINE).search(text, position)
        if match is None:
            raise Failed(f"no {pattern!r} from character {position} on in:\n{text}")
        position = match.end()


def lost_update(case):
    stop = rf"stopped before step {case.steps} of {case.steps}"
    failure = r"\[T0 \(main\)\] the failure of the trace: assert, after step \d+ of \d+: assertion `balance == 300' failed"
    # The stop, and the failure behind it.
    expect(case.gdb("info line", "continue", "frame", "continue"), stop, failure, r"lost_update\.cc:24", "exited with code")

    # In the middle: before the first write of the balance, the other thread has read or waits for its turn.
    with open(case.trace, encoding="utf-8") as file:
        switch = re.search(r'"thread":(\d).*"in":"Deposit"', file.read())
    suspended = int(switch.group(1)) if switch else None
    if suspended is None:
        raise Failed("no switch in Deposit: the test does not test anything")
    text = case.gdb("break Deposit", "snag goto 1", "continue", "continue", "snag threads", f"snag thread {suspended}",
                    "bt", "info locals", "up", "print amount", "print number", "snag bt all", "delete", "continue")
    expect(text, r"before step 1 of", r"Breakpoint 1, Deposit", r"^\[T\d\] after step \d+ of", r"Breakpoint 1, Deposit",
           r"^ +T0 \(main\) +waits for T\d to end +main at lost_update\.cc:2[23]$",
           rf"^ +T{suspended} +ready to .* Deposit at lost_update\.cc:\d+$",
           rf"^\[T{suspended}\] ready to", r"Deposit \(amount=(amount@entry=)?(<optimized out>|\d00)\)",
           rf"Customer \(number=(number@entry=)?({suspended}|<optimized out>)\)", r"amount = |before = ",
           rf"= {suspended}00$",
           r"^T0 \(main\): waits for", r"main \(\) at .*lost_update\.cc:2[23]",
           rf"^T{suspended}: ready", r"Deposit .*lost_update\.cc", r"Customer .*lost_update\.cc:16", failure)
    # Looking at a thread changes nothing for the step that follows.
    text = case.gdb("break Deposit", "snag goto 1", "continue", "continue", f"snag thread {suspended}", "next", "next",
                    "print $snag_thread()", "delete", "watch balance", "continue", "delete", "continue")
    expect(text, r"Breakpoint 1, Deposit", rf"^\[T{suspended}\]", r"^\$1 = [12]$", r"Old value", failure)
    # Schedule point by schedule point, over the whole run.
    text = case.gdb("snag goto 1", *["snag next"] * (case.steps - 1), "snag where", "continue")
    expect(text, *[rf"stopped before step {i} of {case.steps}" for i in range(1, case.steps + 1)], stop, failure)
    # Again from the beginning, by gdb's own command.
    expect(case.gdb("continue", "run", "continue"), stop, failure, stop, failure)
    # A condition on the thread.
    text = case.gdb("break Deposit if $snag_thread() == 2", "snag goto 1", "continue", "print $snag_thread()",
                    "continue")
    expect(text, r"Breakpoint 1, Deposit", r"\[T2\]", r"^\$1 = 2$", failure)
    # Thread-local variables, of the thread that runs and of one that does not.
    text = case.gdb("break lost_update.cc:11", "snag goto 1", "continue", "continue", "snag tls mine",
                    'eval "snag thread %d", 3 - $snag_thread()', "snag tls mine", "snag tls balance")
    values = re.findall(r"\[(T\d)\] mine = (\d+)", text)
    if sorted(values) != [("T1", "100"), ("T2", "200")]:
        raise Failed(f"wrong thread-local variables {values} in:\n{text}")
    expect(text, "balance is no thread-local variable")


def steps_in_user_code(case):
    """`step` and `next` at a schedule point go through the program's lines, not the runtime's."""
    text = case.gdb("break Customer", "snag goto 1", "continue", "delete", "step", "step", "step", "bt", "finish",
                    "continue")
    if re.search(r"runtime/\w+\.cc", text):
        raise Failed(f"a step went into the runtime:\n{text}")
    expect(text, r"Breakpoint 1, Customer", r"Deposit", r"Customer", "the failure of the trace: assert")
    # From a schedule point, which is inside the runtime, as from anywhere else.
    expect(case.gdb("next", "next", "next", "continue", "snag threads"), r"about to join", r"^23\s", r"^24\s",
           "the failure of the trace: assert", "the run has failed and is over", "the program does not run")


def freed(case):
    """One delete is one stop; what is accessed has its own name."""
    text = case.gdb("snag goto 1", *["snag next"] * (case.steps - 1), f"snag goto {case.steps + 1}")
    frees = re.findall(r"about to free", text)
    if len(frees) != 1:
        raise Failed(f"{len(frees)} stops at one delete:\n{text}")
    expect(text, r"about to store to flags\.done", r"about to load flags\.done", r"about to free",
           f"there is no step {case.steps + 1}: the run ends after step {case.steps}")


def deadlock(case):
    text = case.gdb("snag threads", "snag thread 1", "bt", "up", "info locals", "snag thread T2",
                    "print moved", "print &to", "snag bt all", "continue")
    waits = r"waits in lock (first|second)_lock, held by T[12]"
    expect(text, r"the failure of the trace: deadlock, after step", r"^[* ] +T0 \(main\) +waits for T1 to end",
           rf"T1 \(there\) +{waits} +Transfer at deadlock\.cc:12",
           rf"T2 +{waits} +Transfer at deadlock\.cc:12", r"Transfer", r"\[T1 \(there\)\]",
           r"Transfer \(from=.*, to=.*amount=(amount@entry=)?(10|<optimized out>)\)", r"deadlock\.cc:19",
           r"\[T2\]", r"= 20$", r"<(first|second)_lock>", r"T0 \(main\): waits for T1", r"T1 \(there\): ", r"Transfer", r"T2: ", r"Transfer",
           "exited with code")


def refusals(case, folder):
    no_python = os.path.join(folder, "no-python")
    with open(no_python, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\necho 'Python scripting is not supported in this copy of GDB.' >&2\n")
    os.chmod(no_python, 0o755)
    expect(case.call("replay", "--gdb", case.trace, code=3, environment={"SNAG_GDB": no_python}),
           "is no gdb with Python")
    expect(case.call("replay", "--gdb", case.trace, code=3, environment={"SNAG_GDB": folder + "/none"}),
           "there is no '.*/none' to debug with: install gdb")
    expect(case.call("replay", "--gdb", "--times", "2", case.trace, code=2), "leave out")
    with open(case.program, "ab") as file:
        file.write(b"\0")
    expect(case.call("replay", "--gdb", case.trace, code=2), "has changed since the trace was made")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("snag")
    parser.add_argument("--backend", default="user")
    parser.add_argument("--opt", default="-O1")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            case = Case(args, folder, "lost_update", "assert")
            lost_update(case)
            steps_in_user_code(case)
            deadlock(Case(args, folder, "deadlock", "deadlock"))
            freed(Case(args, folder, "freed", "heap"))
            refusals(case, folder)
        except Failed as error:
            print(error)
            return 1
    print(f"gdb follows the schedule ({args.backend}, {args.opt})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
