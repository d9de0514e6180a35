"""`snag replay --gdb` in gdb's batch mode: where it stops, the threads and their stacks, and that the run fails as recorded
whatever the user does before.
"""

import pathlib
import re
import shutil

from snagtest import case, expect, expect_equal, option, prepare

HERE = pathlib.Path(__file__).resolve().parent
KINDS = {"lost_update": "assert", "deadlock": "deadlock", "freed": "heap"}
FAILURE = r"\[T0 \(main\)\] the failure of the trace: assert, after step \d+ of \d+: assertion `balance == 300' failed"

option("--backend", default="user")
option("--opt", default="-O1")
option("--compiler", default="g++")


def find_bug(test, program):
    """Leaves a trace in <name>-traces."""
    test.snag("run", "--quiet", "--seed", "1", "--backend", test.options.backend, "--out", f"{program.name}-traces", "--",
              program, "an argument with 'quotes'", code=1)


@prepare
def find_bugs(test):
    for name in KINDS:
        find_bug(test, test.compile(HERE / f"{name}.cc", name, compiler=test.options.compiler, opt=test.options.opt))


class Recorded:
    """A program with its trace."""

    def __init__(self, test, name, folder=None):
        self.test = test
        self.trace = (folder or test.shared) / f"{name}-traces" / f"{name}-{KINDS[name]}-1.snag"
        self.text = self.trace.read_text(encoding="utf-8")
        self.steps = int(re.search(r'"steps": (\d+)', self.text).group(1))
        self.stop = rf"stopped before step {self.steps} of {self.steps}"

    def gdb(self, *commands):
        """What gdb prints for these commands."""
        words = [word for command in [*commands, "print 0"] for word in ("-ex", command)]
        # "print 0" because gdb's exit code is that of the last command, and some are to be refused.
        return self.test.snag("replay", "--gdb", self.trace, "--", "-nx", "-batch", *words,
                              silent_about=["Python Exception", "Traceback", "corrupt stack"]).text


def expect_in_order(text, *patterns):
    position = 0
    for pattern in patterns:
        match = re.compile(pattern, re.MULTILINE).search(text, position)
        expect(match, f"nothing matches {pattern!r} from character {position} on", text)
        position = match.end()


@case
def stops_before_the_failure(test):
    recorded = Recorded(test, "lost_update")
    expect_in_order(recorded.gdb("info line", "continue", "frame", "continue"), recorded.stop, FAILURE, r"lost_update\.cc:24",
                    "exited with code")


def suspended_thread(recorded):
    """The thread that is suspended in Deposit while another one runs."""
    switch = re.search(r'"thread":(\d).*"in":"Deposit"', recorded.text)
    expect(switch, "no switch in Deposit: the case would test nothing", recorded.text)
    return int(switch.group(1))


@case
def suspended_threads(test):
    """Before the first write of the balance, the other thread has read it or waits for its turn."""
    recorded = Recorded(test, "lost_update")
    suspended = suspended_thread(recorded)
    text = recorded.gdb("break Deposit", "snag goto 1", "continue", "continue", "snag threads", f"snag thread {suspended}",
                        "bt", "info locals", "up", "print amount", "print number", "snag bt all", "delete", "continue")
    expect_in_order(text, r"before step 1 of", r"Breakpoint 1, Deposit", r"^\[T\d\] after step \d+ of",
                    r"Breakpoint 1, Deposit",
                    r"^ +T0 \(main\) +waits for T\d to end +main at lost_update\.cc:2[23]$",
                    rf"^ +T{suspended} +ready to .* Deposit at lost_update\.cc:\d+$",
                    rf"^\[T{suspended}\] ready to", r"Deposit \(amount=(amount@entry=)?(<optimized out>|\d00)\)",
                    rf"Customer \(number=(number@entry=)?({suspended}|<optimized out>)\)", r"amount = |before = ",
                    rf"= {suspended}00$",
                    r"^T0 \(main\): waits for", r"main \(\) at .*lost_update\.cc:2[23]",
                    rf"^T{suspended}: ready", r"Deposit .*lost_update\.cc", r"Customer .*lost_update\.cc:16", FAILURE)


@case
def selecting_a_thread_changes_nothing(test):
    recorded = Recorded(test, "lost_update")
    suspended = suspended_thread(recorded)
    text = recorded.gdb("break Deposit", "snag goto 1", "continue", "continue", f"snag thread {suspended}", "next", "next",
                        "print $snag_thread()", "delete", "watch balance", "continue", "delete", "continue")
    expect_in_order(text, r"Breakpoint 1, Deposit", rf"^\[T{suspended}\]", r"^\$1 = [12]$", r"Old value", FAILURE)


@case
def every_schedule_point(test):
    recorded = Recorded(test, "lost_update")
    text = recorded.gdb("snag goto 1", *["snag next"] * (recorded.steps - 1), "snag where", "continue")
    expect_in_order(text, *[rf"stopped before step {i} of {recorded.steps}" for i in range(1, recorded.steps + 1)],
                    recorded.stop, FAILURE)


@case
def run_again(test):
    """gdb's own `run` starts from the beginning."""
    recorded = Recorded(test, "lost_update")
    expect_in_order(recorded.gdb("continue", "run", "continue"), recorded.stop, FAILURE, recorded.stop, FAILURE)


@case
def condition_on_the_thread(test):
    text = Recorded(test, "lost_update").gdb("break Deposit if $snag_thread() == 2", "snag goto 1", "continue",
                                             "print $snag_thread()", "continue")
    expect_in_order(text, r"Breakpoint 1, Deposit", r"\[T2\]", r"^\$1 = 2$", FAILURE)


@case
def thread_local_variables(test):
    """Of the thread that runs and of a suspended one."""
    text = Recorded(test, "lost_update").gdb(
        "break lost_update.cc:11", "snag goto 1", "continue", "continue", "snag tls mine",
        'eval "snag thread %d", 3 - $snag_thread()', "snag tls mine", "snag tls balance")
    values = re.findall(r"\[(T\d)\] mine = (\d+)", text)
    expect(sorted(values) == [("T1", "100"), ("T2", "200")], f"wrong thread-local variables {values}", text)
    expect_in_order(text, "balance is not a thread-local variable")


@case
def steps_in_user_code(test):
    """`step` and `next` at a schedule point go through the program's lines, not the runtime's."""
    recorded = Recorded(test, "lost_update")
    text = recorded.gdb("break Customer", "snag goto 1", "continue", "delete", "step", "step", "step", "bt", "finish",
                        "continue")
    expect(not re.search(r"runtime/[\w/]+\.cc", text), "a step went into the runtime", text)
    expect_in_order(text, r"Breakpoint 1, Customer", r"Deposit", r"Customer", "the failure of the trace: assert")
    # A schedule point is inside the runtime; stepping from there works as from anywhere else.
    expect_in_order(recorded.gdb("next", "next", "next", "continue", "snag threads"), r"about to join", r"^23\s", r"^24\s",
                    "the failure of the trace: assert", "the run has failed and is over", "the program does not run")


@case
def freed(test):
    """One delete is one stop, and accessed objects have their names."""
    recorded = Recorded(test, "freed")
    text = recorded.gdb("snag goto 1", *["snag next"] * (recorded.steps - 1), f"snag goto {recorded.steps + 1}")
    expect_equal(len(re.findall(r"about to free", text)), 1, "wrong number of stops at one delete", text)
    expect_in_order(text, r"about to store to flags\.done", r"about to load flags\.done", r"about to free",
                    f"there is no step {recorded.steps + 1}: the run ends after step {recorded.steps}")


@case
def deadlock(test):
    text = Recorded(test, "deadlock").gdb("snag threads", "snag thread 1", "bt", "up", "info locals", "snag thread T2",
                                          "print moved", "print &to", "snag bt all", "continue")
    waits = r"waits in lock (first|second)_lock, held by T[12]"
    expect_in_order(text, r"the failure of the trace: deadlock, after step", r"^[* ] +T0 \(main\) +waits for T1 to end",
                    rf"T1 \(there\) +{waits} +Transfer at deadlock\.cc:12",
                    rf"T2 +{waits} +Transfer at deadlock\.cc:12", r"Transfer", r"\[T1 \(there\)\]",
                    r"Transfer \(from=.*, to=.*amount=(amount@entry=)?(10|<optimized out>)\)", r"deadlock\.cc:19",
                    r"\[T2\]", r"= 20$", r"<(first|second)_lock>", r"T0 \(main\): waits for T1", r"T1 \(there\): ",
                    r"Transfer", r"T2: ", r"Transfer", "exited with code")


@case
def refusals(test):
    no_python = test.folder / "no-python"
    no_python.write_text("#!/bin/sh\necho 'Python scripting is not supported in this copy of GDB.' >&2\n", encoding="utf-8")
    no_python.chmod(0o755)
    trace = Recorded(test, "lost_update").trace
    test.snag("replay", "--gdb", trace, code=3, env={"SNAG_GDB": no_python}, says="is not a gdb with Python")
    test.snag("replay", "--gdb", trace, code=3, env={"SNAG_GDB": test.folder / "none"},
              matches="there is no '.*/none' to debug with: install gdb")
    test.snag("replay", "--gdb", "--times", "2", trace, code=2, says="leave out")


@case
def changed_program(test):
    program = pathlib.Path(shutil.copy(test.shared / "lost_update", test.folder))
    find_bug(test, program)
    with open(program, "ab") as file:
        file.write(b"\0")
    test.snag("replay", "--gdb", Recorded(test, "lost_update", test.folder).trace, code=2,
              says="has changed since the trace was made")
