"""What depends on the processor, for gdb: another one is one more table. The runtime's part is arch/."""

X86_64 = {
    "pc": "rip",
    "stack pointer": "rsp",
    "thread pointer": "fs_base",
    # The frame that snag_switch_stacks leaves (arch/x86_64/stack_switch.S): offsets from the saved stack pointer.
    "saved": {"r15": 8, "r14": 16, "r13": 24, "r12": 32, "rbx": 40, "rbp": 48, "rip": 56},
    "frame size": 64,
    # Thread-local variables lie below the thread pointer, at most this far.
    "thread-local offsets": range(-(1 << 20) + 1, 0),
}

ARCH = X86_64


def pc(frame):
    return int(frame.read_register(ARCH["pc"]))


def stack_pointer(frame):
    return int(frame.read_register(ARCH["stack pointer"]))
