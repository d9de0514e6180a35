"""What Snag's runtime inside the program knows: its threads, and what each of them does.

Only reads the memory of the program (and writes one word: where to stop next); nothing is called
there. Where things lie is said by the table `snag_debugger_layout` of runtime/sched/debugger_tables.cc.
"""

import os
import re

import gdb

from snag_view import LIBRARY_FOLDERS, LIBRARY_NAMES

RUNNABLE, BLOCKED, FINISHED = range(3)
NOBODY = 0xFFFF
FUTEX_BACKEND = 1
FIELD_SIZE = 32  # of an entry of the table: name and value


def read_number(address, size=8, signed=False):
    data = gdb.selected_inferior().read_memory(address, size).tobytes()
    return int.from_bytes(data, "little", signed=signed)


def read_text(address, size):
    data = gdb.selected_inferior().read_memory(address, size).tobytes()
    return data.split(b"\0")[0].decode(errors="replace")


def symbol_address(name):
    # By the symbol table: the runtime has no debug information about its variables.
    return int(gdb.parse_and_eval(f"(unsigned long) &{name}"))


class Thread:
    """One thread of the program, as it is now."""

    def __init__(self, runtime, address):
        def field(name, size=8, signed=False):
            return read_number(address + runtime.layout["Thread." + name], size, signed)

        self.number = field("tid", 2)
        self.state = field("state", 1)
        self.enabled = field("slot", 4, signed=True) >= 0
        self.spinning = field("spinning", 1) != 0
        self.external = field("external", 1) != 0
        self.timed = field("timed", 1) != 0
        self.start = field("start")
        self.name = read_text(address + runtime.layout["Thread.name"], 16)
        context = field("context")
        self.stack_pointer = read_number(context + runtime.layout["Context.stack_pointer"])
        self.fs_base = read_number(context + runtime.layout["Context.fs_base"])
        self.object = field("object")
        self.object_address, self.owner = 0, NOBODY
        if self.object:
            self.object_address = read_number(self.object + runtime.layout["SyncObject.address"])
            self.owner = read_number(self.object + runtime.layout["SyncObject.owner"], 2)
        op = runtime.scheduler + runtime.layout["Scheduler.pending"] + self.number * runtime.layout["Op"]
        self.op = runtime.ops[read_number(op + runtime.layout["Op.kind"], 1)]
        # Of a memory access the object is all of the word.
        self.op_object = read_number(op + runtime.layout["Op.object"])
        self.op_object += read_number(op + runtime.layout["Op.offset"], 1)

    def label(self):
        name = self.name or ("main" if self.number == 0 else "")
        return f"T{self.number}" + (f" ({name})" if name else "")


class Runtime:
    def __init__(self, session):
        self.ops = session["ops"]
        self.layout = {}
        self.scheduler = 0

    def load(self):
        """Reads the table; False while the program has not begun."""
        try:
            entry = symbol_address("snag_debugger_layout")
            self.scheduler = read_number(symbol_address("snag_debugger_scheduler"))
            while name := read_text(entry, FIELD_SIZE - 4):
                self.layout[name] = read_number(entry + FIELD_SIZE - 4, 4)
                entry += FIELD_SIZE
            return self.shared() != 0 and self.thread_count() != 0
        except gdb.error:
            return False

    def field(self, name, size=8):
        return read_number(self.scheduler + self.layout["Scheduler." + name], size)

    def thread_count(self):
        return self.field("thread_count", 4)

    def step(self):
        """Steps taken so far."""
        return self.field("step")

    def shared(self):
        return self.field("shared")

    def current(self):
        """Number of the thread that runs."""
        return read_number(self.field("current") + self.layout["Thread.tid"], 2)

    def thread(self, number):
        first = self.scheduler + self.layout["Scheduler.threads"]
        return Thread(self, first + number * self.layout["Thread"])

    def threads(self):
        return [self.thread(i) for i in range(self.thread_count())]

    def has_kernel_threads(self):
        return read_number(self.shared() + self.layout["Shared.backend"], 1) == FUTEX_BACKEND

    def stop_before(self, step):
        address = self.shared() + self.layout["Shared.stop_step"]
        gdb.selected_inferior().write_memory(address, step.to_bytes(8, "little"))

    def failure(self):
        """Kind (a number) and message of the failure that was written down; whether the replay diverged."""
        base = self.shared()
        kind = read_number(base + self.layout["Shared.failure_kind"], 4)
        message = with_readable_type(read_text(base + self.layout["Shared.failure_message"], 1024))
        message = PLACES.sub(readable_place, message)
        return kind, message, read_number(base + self.layout["Shared.run_end"], 4) == 3


PLACES = re.compile(r"@\{([0-9a-f,]+)\}")


def readable_place(match):
    """The innermost place of "@{pc,caller,...}" which is the program's own: its line, or the function that a
    library's was inlined into."""
    for pc in (int(text, 16) - 1 for text in match.group(1).split(",")):
        sal = gdb.find_pc_line(pc)
        if sal.symtab and not any(part in sal.symtab.fullname() for part in LIBRARY_FOLDERS):
            return f"{os.path.basename(sal.symtab.filename)}:{sal.line}"
        block = gdb.block_for_pc(pc)
        while block is not None:
            if block.function and not block.function.name.startswith(LIBRARY_NAMES):
                return block.function.name
            block = block.superblock
    return "an unknown place"


def with_readable_type(message):
    """Exceptions come with the mangled name of their type."""
    before, of_type, name = message.partition("uncaught exception of type ")
    if not name:
        return message
    text = gdb.execute(f"demangle -- _ZTI{name}", to_string=True).strip()
    return before + of_type + text.replace("typeinfo for ", "")


def member_at(type, offset):
    """What stands behind the variable's name: ".second", "[3].x"; empty: all of it, or not known."""
    type = type.strip_typedefs()
    if type.code == gdb.TYPE_CODE_ARRAY:
        element = type.target()
        return f"[{offset // element.sizeof}]" + member_at(element, offset % element.sizeof)
    # What is in a class of a library is its own business.
    if type.code != gdb.TYPE_CODE_STRUCT or (type.name or "").startswith("std::"):
        return ""
    for field in type.fields():
        begin = getattr(field, "bitpos", 0) // 8
        if not hasattr(field, "bitpos") or not begin <= offset < begin + field.type.sizeof:
            continue
        name = "" if field.is_base_class or not field.name else "." + field.name
        return name + member_at(field.type, offset - begin)
    return ""


def object_name(address):
    """The global variable there, with the member of it. Empty: not known."""
    if address == 0:
        return ""
    text = gdb.execute(f"info symbol {address}", to_string=True)
    if " in section " not in text:
        return ""
    name, _, offset = text.split(" in section ")[0].partition(" + ")
    symbol = gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
    if symbol is None:
        return "" if offset else name
    return name + member_at(symbol.type, int(offset or 0))


# In words, with the object behind; the others speak for themselves.
VERBS = {
    "thread-start": "start",
    "thread-exit": "end",
    "thread-create": "make a thread",
    "join": "join",
    "atomic-load": "load",
    "atomic-store": "store to",
    "atomic-rmw": "change",
    "cond-wait": "wait for",
    "cond-signal": "signal",
    "cond-broadcast": "notify all of",
    "sem-wait": "wait for",
    "sem-trywait": "try",
    "sem-post": "post",
    "barrier-wait": "arrive at",
    "once": "enter the once block",
    "static-init": "initialise",
    "timeout": "time out",
    "system-call": "do a system call",
    "cancel": "be cancelled",
    "signal": "take a signal",
}


def action(thread):
    """What it does next: "write counter", "lock m"."""
    verb = VERBS.get(thread.op, thread.op)
    if thread.op in ("thread-start", "thread-exit", "thread-create", "join", "try-join"):
        return verb
    name = object_name(thread.op_object)
    return f"{verb} {name}" if name else verb


def state(runtime, thread):
    """For the list of threads: what it is at, in a few words."""
    if thread.state == FINISHED:
        return "ended"
    if thread.state == RUNNABLE:
        if thread.number == runtime.current():
            return "running"
        if thread.op == "thread-start":
            return "ready, not started yet"
        return ("spins, at " if thread.spinning else "ready to ") + action(thread)
    until = " until a deadline" if thread.timed else ""
    if thread.external:
        return "waits for the outside world" + until
    if not thread.object:
        return "sleeps"
    if thread.op in ("join", "try-join"):
        return f"waits for T{thread.owner} to end{until}"
    name = object_name(thread.object_address) or hex(thread.object_address)
    holder = f", held by T{thread.owner}" if thread.owner != NOBODY else ""
    return f"waits in {thread.op} {name}{holder}{until}"
