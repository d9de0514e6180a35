#!/usr/bin/env python3
"""Tests of globals.py."""
import unittest

import globals as check

DUMP = """
RELOCATION RECORDS FOR [.init_array.00101]:
OFFSET           TYPE              VALUE
0000000000000000 R_X86_64_64       snag_text+0x10

RELOCATION RECORDS FOR [.init_array]:
OFFSET           TYPE              VALUE
0000000000000000 R_X86_64_64       _GLOBAL__sub_I_pool

RELOCATION RECORDS FOR [.data]:
OFFSET           TYPE              VALUE
0000000000000000 R_X86_64_64       snag_text+0x20
"""


class Globals(unittest.TestCase):
    def expect(self, text, *names):
        found = check.problems_of("runtime/a.cc", text)
        self.assertEqual([problem.split()[1] for problem in found], list(names), found)

    def test_constant(self):
        self.expect("namespace snag::rt {\nconstinit int a = 1;\ninline constexpr int b[] = {1, 2};\n}")
        self.expect("extern bool on;\nextern \"C\" {\nextern char flag;\n}\nthread_local constinit Thread t{};")

    def test_neither(self):
        self.expect("namespace {\nint a = 1;\nPool pool;\n}", "a", "pool")
        self.expect("std::uint64_t* a[64];\nMap<int, char> map{3};\nstatic bool c;", "a", "map", "c")
        self.expect("extern \"C\" {\n__attribute__((used, visibility(\"hidden\"))) void* table[3];\n}", "table")
        self.expect("const timespec limit{0, 1};\nint f() { return 1; }\nint after = f();", "limit", "after")

    def test_line(self):
        self.assertIn("a.cc:3:", check.problems_of("runtime/a.cc", "// int x;\n\nint a;")[0])

    def test_no_variables(self):
        self.expect("int f(int a);\nvoid g() { static int count = 0; ++count; }\nusing A = int;\nstruct B { int c; };")
        self.expect("struct C;\nenum D { kA, kB };\ntemplate <class T>\nT h(T t);\nstatic_assert(sizeof(int) == 4);")
        self.expect("void operator delete(void* p);\nbool Class::method() const { return true; }")

    def test_initializers(self):
        self.assertEqual(check.initializers(DUMP), ["_GLOBAL__sub_I_pool"])


if __name__ == "__main__":
    unittest.main()
