#!/usr/bin/env python3
"""Tests of arch.py: what depends on the processor is reported, what every compiler knows is not."""
import unittest

import arch


class Problems(unittest.TestCase):
    def expect(self, text, *parts):
        found = arch.problems_of("runtime/a.cc", text)
        self.assertEqual(len(found), len(parts), found)
        for problem, part in zip(found, parts):
            self.assertIn(part, problem)

    def test_portable(self):
        self.expect('asm volatile("" ::: "memory");\nasm volatile("" : : "r"(p) : "memory");\nasm volatile("");')
        self.expect('void f() asm("_ZSt13set_terminatePFvvE");\nvoid g() asm(quoted);')
        self.expect('__asm__ volatile(".pushsection names,\\"aR\\"\\n\\t.asciz \\"" #a "\\"\\n\\t.popsection");')
        self.expect('#include "arch/arch.h"\nif (name == "ripe") relax_processor();')

    def test_assembly(self):
        self.expect('\nasm volatile("lfence" ::: "memory");', "a.cc:2: has assembly: lfence")
        self.expect('asm("nop\\n" ".text");\nasm(R"(\n.text\nf:\n  ret\n)");', "nop", "f:")
        self.expect('asm("push x0");', "push x0")

    def test_names(self):
        self.expect("__builtin_ia32_pause();", "__builtin_ia32_pause")
        self.expect("#if defined(__x86_64__)", "__x86_64__")
        self.expect("gregs[REG_RIP]", "REG_RIP")
        self.expect('frame.read_register("rsp")', '"rsp"')
        self.expect("if (header.e_machine == EM_X86_64)", "EM_X86_64")
        self.expect("raw_syscall(SYS_fork);", "not every processor has: SYS_fork")
        self.expect("raw_syscall(SYS_epoll_pwait);\nraw_syscall(SYS_openat);")

    def test_includes(self):
        self.expect('#include "arch/x86_64/calls.h"', "includes arch/x86_64/calls.h")


if __name__ == "__main__":
    unittest.main()
