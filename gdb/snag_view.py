"""Shows the stack of a thread that does not run.

All threads of the program run on one kernel thread, so gdb sees one thread, with the registers of
the one that runs. Those of the others lie on their stacks. An unwinder makes the frames of a chosen
thread appear behind the innermost frame: nothing in the program is changed by looking at it, and
nothing has to be put back before it goes on.
"""

import collections
import os

import gdb
from gdb.FrameDecorator import FrameDecorator
from gdb.unwinder import Unwinder, register_unwinder

# The frame that snag_switch_stacks leaves (runtime/sched/context.cc): offsets from the saved stack pointer.
SAVED = {"r15": 8, "r14": 16, "r13": 24, "r12": 32, "rbx": 40, "rbp": 48, "rip": 56}
FRAME_SIZE = 64

FrameId = collections.namedtuple("FrameId", "sp pc")  # what gdb asks of one

LIBRARY_FOLDERS = ("/include/c++/", "/bits/gthr", "/lib/gcc/")
LIBRARY_FILES = ("libc.so", "libstdc++.so", "libm.so", "libgcc_s.so", "libpthread.so", "ld-linux")
LIBRARY_NAMES = ("std::", "__gnu", "__gthread", "__cxa_", "__libc_", "__pthread_")


def runtime_folder():
    symbol = gdb.lookup_global_symbol("snag_debugger_stop")
    if not symbol:
        return None
    # runtime/<layer>/<file>
    return os.path.dirname(os.path.dirname(symbol.symtab.fullname())) + "/"


def source_of(frame):
    symtab = frame.find_sal().symtab
    return symtab.fullname() if symtab else ""


class StackView(Unwinder):
    """The thread that is looked at instead of the one that runs; `thread` is None in the ordinary case."""

    def __init__(self):
        super().__init__("snag")
        self.thread = None
        self.real = None  # program counter and stack pointer of the one that runs
        self.folder = runtime_folder()
        register_unwinder(None, self, replace=True)

    def __call__(self, pending):
        if self.thread is None:
            return None
        here = int(pending.read_register("rip")), int(pending.read_register("rsp"))
        if here != self.real:
            return None
        saved = self.thread.stack_pointer
        # Below all frames of the thread, whatever stack the real one is on: or gdb takes the stack
        # for corrupt.
        info = pending.create_unwind_info(FrameId(gdb.Value(saved), gdb.Value(here[0])))
        word = gdb.lookup_type("unsigned long")
        memory = gdb.selected_inferior()
        for name, offset in SAVED.items():
            data = memory.read_memory(saved + offset, 8).tobytes()
            info.add_saved_register(name, gdb.Value(data, word))
        info.add_saved_register("rsp", gdb.Value((saved + FRAME_SIZE).to_bytes(8, "little"), word))
        return info

    def show(self, thread):
        """Shows that thread; None: the one that runs."""
        if self.thread is not None:
            self.thread = None
            gdb.invalidate_cached_frames()
        if thread is not None:
            frame = gdb.newest_frame()
            self.real = int(frame.read_register("rip")), int(frame.read_register("rsp"))
            self.thread = thread
            gdb.invalidate_cached_frames()
        if gdb.selected_thread() is not None:
            gdb.newest_frame().select()

    def is_hidden(self, frame):
        """Of the runtime, or of the thread that runs while another is shown."""
        if self.thread is not None and int(frame.read_register("rsp")) == self.real[1]:
            return True
        # What is inlined belongs to the function that it is in.
        while frame.type() == gdb.INLINE_FRAME and frame.older() is not None:
            frame = frame.older()
        name = frame.name() or ""
        if name.startswith(("snag::rt::", "__tsan_", "__snag_", "snag_debugger_", "snag_switch_stacks")):
            return True
        return self.folder is not None and source_of(frame).startswith(self.folder)

    def is_user_frame(self, frame):
        source = source_of(frame)
        if not source or any(part in source for part in LIBRARY_FOLDERS):
            return False
        library = os.path.basename(gdb.solib_name(frame.pc()) or "")
        if library.startswith(LIBRARY_FILES):
            return False
        return not (frame.name() or "").startswith(LIBRARY_NAMES) and not self.is_hidden(frame)

    def frames(self):
        frame = gdb.newest_frame()
        while frame is not None and frame.is_valid():
            yield frame
            frame = frame.older()

    def user_frame(self):
        """The innermost frame of the user's own code; None if there is none."""
        return next((frame for frame in self.frames() if self.is_user_frame(frame)), None)

    def select_user_frame(self):
        frame = self.user_frame()
        if frame is not None:
            frame.select()
        return frame


class PlainName(FrameDecorator):
    """gdb's own writes the parameters of a C++ function twice."""

    def function(self):
        return self.inferior_frame().name() or "??"


class HideRuntime:
    """A frame filter: `bt` shows the program, not what Snag put under it. `bt -no-filters` shows all."""

    def __init__(self, view):
        self.name = "snag"
        self.priority = 100
        self.enabled = True
        self.view = view
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return (PlainName(frame) for frame in frames if not self.view.is_hidden(frame.inferior_frame()))
