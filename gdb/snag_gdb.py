"""gdb's part of `snag replay --gdb`: starts the run, says where it stands, adds the commands `snag ...`.

The schedule is followed by the runtime inside the program: stepping, breakpoints and watchpoints are
gdb's own, and change nothing about it.
"""

import json
import os
import sys

import gdb

sys.dont_write_bytecode = True  # the folder may not be ours to write to
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import snag_runtime  # noqa: E402
from snag_arch import ARCH, stack_pointer  # noqa: E402
from snag_view import HideRuntime, StackView  # noqa: E402


def real_thread_pointer():
    """Of gdb's own thread."""
    return int(gdb.parse_and_eval("(unsigned long) $" + ARCH["thread pointer"]))


def place(frame):
    sal = frame.find_sal()
    file = os.path.basename(sal.symtab.filename) if sal.symtab else "?"
    return f"{frame.name() or '?'} at {file}:{sal.line}"


class ReturnPoint(gdb.Breakpoint):
    """Where a call returns to, on its own stack: other threads may pass there before."""

    def __init__(self, pc, stack):
        super().__init__(f"*{pc}", internal=True)
        self.silent = True
        self.stack = stack

    def stop(self):
        return stack_pointer(gdb.newest_frame()) == self.stack


class Session:
    def __init__(self):
        descriptor = int(os.environ.pop("SNAG_GDB_SESSION"))
        with open(descriptor, encoding="utf-8") as file:
            file.seek(0)
            self.trace = json.load(file)
        # As it is before the run, which writes into it: for the next `run`.
        self.control = os.pread(self.trace["control"], self.trace["control_size"], 0)
        self.runtime = snag_runtime.Runtime(self.trace)
        self.view = StackView()
        self.stop_at_start = None
        self.quiet = False
        self.followed = False  # whether this run has followed the schedule
        HideRuntime(self.view)

    # ---- Where one is. ----

    def innermost(self):
        try:
            self.view.show(None)
            return gdb.newest_frame().name() or ""
        except gdb.error:
            return ""

    def total(self):
        return self.trace["steps"]

    def describe(self):
        """In a sentence or two, and the source line."""
        name = self.innermost()
        runtime = self.runtime
        if not runtime.load():
            return
        self.followed = True
        current = runtime.thread(runtime.current())
        if name == "snag_debugger_failed":
            self.describe_failure(current)
        elif name == "snag_debugger_stop":
            number = runtime.step() + 1
            frame = self.view.user_frame()
            at = f", {place(frame)}" if frame else ""
            print(f"[{current.label()}] stopped before step {number} of {self.total()}: "
                  f"about to {snag_runtime.action(current)}{at}")
        else:
            print(f"[{current.label()}] after step {runtime.step()} of {self.total()}")

    def describe_failure(self, current):
        kind, message, diverged = self.runtime.failure()
        if diverged:
            print(f"the replay differs from the recorded run: {message}")
            return
        kind = self.trace["failures"][kind]
        same = "the failure of the trace" if kind == self.trace["kind"] else "ANOTHER failure than the trace has"
        print(f"[{current.label()}] {same}: {kind}, after step {self.runtime.step()} of {self.total()}: {message}")
        if kind in ("deadlock", "lost-wakeup", "livelock"):
            self.list_threads()

    def show_source(self):
        if self.view.select_user_frame() is not None:
            gdb.execute("frame")

    def on_stop(self, event):
        if self.quiet:
            return
        self.view.thread = None
        self.describe()
        if self.innermost().startswith("snag_debugger_"):
            self.show_source()

    def on_exit(self, event):
        code = getattr(event, "exit_code", None)
        if self.trace["kind"] == "exit" and code == self.trace["detail"]:
            print(f"the failure of the trace: exit, {self.trace['message']}")
        elif not self.followed:
            print("snag: the program ended before it could follow the schedule")

    # ---- Starting and going on. ----

    def restore_control(self):
        """Before the program starts: the shared memory as the tool made it."""
        self.view.thread = None
        self.followed = False
        if gdb.selected_inferior().pid:
            gdb.execute("kill", to_string=True)
        os.pwrite(self.trace["control"], self.control, 0)
        if self.stop_at_start is not None:
            offset = self.runtime.layout["Shared.stop_step"]
            os.pwrite(self.trace["control"], self.stop_at_start.to_bytes(8, "little"), offset)

    def start(self):
        gdb.execute("set print thread-events off")
        # The runtime's traps in libgomp, and its timer for libomp. A fault of the program stops where the runtime
        # reports it.
        gdb.execute("handle SIGILL nostop noprint pass", to_string=True)
        gdb.execute("handle SIGPWR nostop noprint pass", to_string=True)
        gdb.execute("set args " + self.trace["arguments"])
        for name, value in self.trace["environment"].items():
            if value is None:
                gdb.execute(f"unset environment {name}")
            else:
                gdb.execute(f"set environment {name} {value}")
        if self.view.folder:
            for layer in ("*/*", "*/*/*"):  # runtime/<layer>/<file>; `*` does not match a slash
                gdb.execute(f"skip -gfile {self.view.folder}{layer}", to_string=True)
        for name in ("snag_debugger_stop", "snag_debugger_failed"):
            gdb.Breakpoint(name, internal=True).silent = True
        gdb.events.stop.connect(self.on_stop)
        gdb.events.exited.connect(self.on_exit)
        # The view ends when the program goes on.
        gdb.events.cont.connect(lambda event: setattr(self.view, "thread", None))
        after = "`continue` runs to it, "
        if self.trace["kind"] == "hang":
            after = "`continue`, then Ctrl-C, shows where, "
        elif self.trace["stop_step"] == 0:
            after = ""  # the stop is the failure
        print(f"snag: {self.trace['kind']} of {self.trace['trace']}; {after}`snag threads` lists the threads, "
              "`help snag` explains")
        gdb.execute("run")

    def leave_runtime(self):
        """Before a step in the user's sense: gdb steps from the innermost frame, which may be in the runtime."""
        self.view.show(None)
        if gdb.selected_thread() is None or not self.runtime.load():
            return
        if self.runtime.has_kernel_threads():
            self.kernel_thread(self.runtime.thread(self.runtime.current()))
        if self.innermost() == "snag_debugger_failed":
            raise gdb.GdbError("the run has failed and is over: `continue` ends it, `run` or `snag goto` starts again")
        frames = []
        for frame in self.view.frames():
            if not self.view.is_hidden(frame):
                break
            frames.append(frame)
        else:
            return
        if not frames:
            return
        caller = frames[-1].older()
        stack = stack_pointer(caller)
        end = ReturnPoint(caller.pc(), stack)
        self.quiet = True
        try:
            gdb.execute("continue", to_string=True)
        finally:
            self.quiet = False
            end.delete()
        newest = gdb.newest_frame() if gdb.selected_thread() else None
        if newest is None or stack_pointer(newest) != stack:
            self.on_stop(None)
            raise gdb.GdbError("stopped before the step was complete")

    # ---- The commands. ----

    def need_run(self):
        self.view.thread = None
        if not gdb.selected_inferior().pid or not self.runtime.load():
            raise gdb.GdbError("the program does not run: `run` starts it again, with the same schedule")

    def kernel_thread(self, thread):
        """gdb's own thread with the thread-local storage of ours."""
        before = gdb.selected_thread()
        for candidate in gdb.selected_inferior().threads():
            candidate.switch()
            if real_thread_pointer() == thread.thread_pointer:
                return candidate
        before.switch()
        return None

    def look_at(self, thread):
        """From now on gdb shows that thread."""
        self.view.show(None)
        if self.runtime.has_kernel_threads():
            self.kernel_thread(thread)
        elif thread.number != self.runtime.current():
            self.view.show(thread)

    def has_stack(self, thread):
        return thread.state != snag_runtime.FINISHED and thread.op != "thread-start"

    def list_threads(self):
        selected, carrier = self.view.thread, gdb.selected_thread()
        rows = []
        for thread in self.runtime.threads():
            where = ""
            if self.has_stack(thread) or thread.number == self.runtime.current():
                self.look_at(thread)
                frame = self.view.user_frame()
                where = place(frame) if frame else ""
            mark = "*" if thread.number == self.runtime.current() else " "
            rows.append((mark, thread.label(), snag_runtime.state(self.runtime, thread), where))
        carrier.switch()
        self.view.show(selected)
        self.view.select_user_frame()
        widths = [max(len(row[i]) for row in rows) for i in range(4)]
        for row in rows:
            print("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())

    def select_thread(self, argument):
        try:
            number = int(argument.lstrip("Tt"))
        except ValueError:
            raise gdb.GdbError("which thread? `snag thread 2`; `snag threads` lists them")
        if not 0 <= number < self.runtime.thread_count():
            raise gdb.GdbError(f"there is no thread T{number}: `snag threads` lists them")
        thread = self.runtime.thread(number)
        if not self.has_stack(thread) and number != self.runtime.current():
            raise gdb.GdbError(f"T{number} has no stack to show: it is {snag_runtime.state(self.runtime, thread)}")
        self.look_at(thread)
        print(f"[{thread.label()}] {snag_runtime.state(self.runtime, thread)}")
        self.show_source()

    def all_stacks(self):
        selected, carrier = self.view.thread, gdb.selected_thread()
        for thread in self.runtime.threads():
            print(f"\n{thread.label()}: {snag_runtime.state(self.runtime, thread)}")
            if self.has_stack(thread) or thread.number == self.runtime.current():
                self.look_at(thread)
                print(gdb.execute("backtrace", to_string=True), end="")
        carrier.switch()
        self.view.show(selected)
        self.view.select_user_frame()

    def print_thread_local(self, expression):
        """gdb knows the thread-local variables of the thread that runs; those of another lie at the same offset."""
        if not expression:
            raise gdb.GdbError("which variable? `snag tls counter`")
        value = gdb.parse_and_eval(expression)
        known = self.runtime.thread(self.runtime.current())  # whose variable gdb gave us
        if self.runtime.has_kernel_threads():
            base = real_thread_pointer()
            known = next((t for t in self.runtime.threads() if t.thread_pointer == base), known)
        thread = self.view.thread or known
        offset = int(value.address or 0) - known.thread_pointer
        if offset not in ARCH["thread-local offsets"]:
            raise gdb.GdbError(f"{expression} is not a thread-local variable of the program or of a library loaded at "
                               "start")
        there = gdb.Value(thread.thread_pointer + offset).cast(value.type.pointer()).dereference()
        print(f"[{thread.label()}] {expression} = {there}")

    def next_step(self, argument):
        count = int(gdb.parse_and_eval(argument)) if argument else 1
        if count < 1:
            raise gdb.GdbError("steps are taken forwards only: `snag goto N` starts again for an earlier one")
        about_to = self.innermost() == "snag_debugger_stop"
        self.runtime.stop_before(self.runtime.step() + count + (1 if about_to else 0))
        gdb.execute("continue")

    def go_to(self, argument):
        step = int(gdb.parse_and_eval(argument)) if argument else 0
        if step < 1:
            raise gdb.GdbError("before which step? `snag goto 12`")
        if step > self.total():
            raise gdb.GdbError(f"there is no step {step}: the run ends after step {self.total()}")
        running = gdb.selected_inferior().pid and self.runtime.load()
        if running and self.runtime.step() + 1 < step:
            self.runtime.stop_before(step)
            gdb.execute("continue")
            return
        self.stop_at_start = step
        try:
            gdb.execute("run")
        finally:
            self.stop_at_start = None


class Snag(gdb.Command):
    """The threads and the schedule of a run that Snag replays.

All threads of the program run on one kernel thread, which gdb sees as one; these commands know them
apart. The schedule is followed whatever you do: step, set breakpoints and watchpoints as usual."""

    def __init__(self):
        super().__init__("snag", gdb.COMMAND_RUNNING, prefix=True)


class SnagThread(gdb.Function):
    """The number of the program's thread that runs: break f if $snag_thread() == 2"""

    def __init__(self, session):
        super().__init__("snag_thread")
        self.session = session

    def invoke(self):
        return self.session.runtime.current() if self.session.runtime.load() else -1


def add_command(name, session, action, text, needs_run=True):
    def invoke(self, argument, from_tty):
        if needs_run:
            selected = session.view.thread
            session.need_run()
            session.view.thread = selected
        action(argument.strip())

    command = type("SnagCommand", (gdb.Command,), {"invoke": invoke, "__doc__": text})
    command("snag " + name, gdb.COMMAND_RUNNING)


def add_hook(name, action):
    """Before gdb's own command."""
    invoke = {"invoke": lambda self, argument, from_tty: action()}
    type("SnagHook", (gdb.Command,), {**invoke, "__doc__": f"Snag's part of {name}."})(
        f"snag-before-{name}", gdb.COMMAND_OBSCURE)
    gdb.execute(f"define hook-{name}\nsnag-before-{name}\nend")


def where(session):
    session.describe()
    session.show_source()


def backtraces(session, argument):
    if argument in ("", "all"):
        session.all_stacks()
    else:
        session.select_thread(argument)
        gdb.execute("backtrace")


def main():
    session = Session()
    Snag()
    SnagThread(session)
    add_command("threads", session, lambda _: session.list_threads(),
                "List the threads of the program, what each is at, and where. * marks the one that runs.")
    add_command("thread", session, session.select_thread,
                "snag thread N: show that thread: bt, up, info locals, print refer to it until the program continues.")
    add_command("bt", session, lambda argument: backtraces(session, argument),
                "snag bt all: the stacks of all threads. snag bt N: of that one.")
    add_command("tls", session, session.print_thread_local,
                "snag tls VARIABLE: a thread-local variable of the thread that is shown (print: of the running one).")
    add_command("where", session, lambda _: where(session), "Print which thread is before which step.")
    for name in ("next", "step-schedule"):
        add_command(name, session, session.next_step,
                    f"snag {name} [N]: continue to the next schedule point of any thread; N: that many.")
    add_command("goto", session, session.go_to,
                "snag goto N: go to the schedule point before step N; starts again if that is over already.",
                needs_run=False)
    gdb.set_convenience_variable("snag_steps", session.trace["steps"])
    for action, before in ((session.leave_runtime, ("next", "step", "until", "advance")),
                           (lambda: session.view.show(None), ("nexti", "stepi")),
                           (session.restore_control, ("run", "start", "starti"))):
        for name in before:
            add_hook(name, action)
    session.start()


main()
