#!/usr/bin/env python3
"""Tests of layers.py: each rule, broken in a small tree, is reported; and an include against the rules is found in
the real tree."""
import pathlib
import shutil
import tempfile
import unittest

import layers

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RULES = """
folder low:
folder high: low
namespace snag::low: low
namespace snag::high: high
"""


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class SmallTree(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        write(
            self.root,
            {
                "low/a.h": "namespace snag::low {}\n",
                "low/a.cc": '#include "low/a.h"\nnamespace snag::low {}\n',
                "high/b.h": '#include "low/a.h"\nnamespace snag::high {}\n',
            },
        )

    def problems(self, files=None, rules=RULES):
        write(self.root, files or {})
        return layers.check(self.root, layers.Rules(rules))

    def expect(self, part, files=None, rules=RULES):
        problems = self.problems(files, rules)
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(part, problems[0])

    def test_a_tree_that_keeps_the_rules(self):
        self.assertEqual(self.problems(), [])

    def test_an_include_against_the_rules(self):
        self.expect("low may not use high", {"low/c.h": '#include "high/b.h"\n'})

    def test_a_unit_test_may_include_more(self):
        self.assertEqual(self.problems({"low/a_test.cc": '#include "high/b.h"\n'}), [])

    def test_an_include_of_tests(self):
        self.expect("is no test", {"low/c.h": '#include "tests/lib/x.h"\n'})

    def test_a_missing_header(self):
        self.expect("does not exist", {"low/c.h": '#include "low/gone.h"\n'})

    def test_a_rule_that_points_upward(self):
        self.expect("does not stand above it", rules="folder low: high\n" + RULES.replace("folder low:\n", ""))

    def test_a_line_that_is_not_a_rule(self):
        self.expect("not a rule", rules=RULES + "folders low\n")

    def test_a_folder_without_a_rule(self):
        self.expect("has no line for the folder low/new", {"low/new/x.h": "\n"})

    def test_a_cycle_of_components(self):
        self.expect(
            "include cycle: low/c low/d",
            {"low/c.h": '#include "low/d.h"\n', "low/d.h": "\n", "low/d.cc": '#include "low/c.h"\n'},
        )

    def test_a_source_without_its_header(self):
        self.expect("has no header of its name", {"low/lonely.cc": '#include "low/a.h"\n'})
        (self.root / "low/lonely.cc").write_text("// Implements a.h: the slow half.\n")
        self.assertEqual(self.problems(), [])

    def test_a_foreign_namespace(self):
        self.expect("but that of its folder is snag::low", {"low/c.h": "namespace snag::high {}\n"})

    def test_a_crowded_folder(self):
        files = {f"low/x{i}.h": "\n" for i in range(layers.MOST_FILES)}
        self.expect("source files, more than", files)


class RealTree(unittest.TestCase):
    def test_an_include_against_the_rules_is_found(self):
        rules = layers.Rules((ROOT / "tests/architecture/layers.txt").read_text())
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for top in {name.split("/")[0] for name in rules.uses}:
                shutil.copytree(ROOT / top, root / top)
            before = set(layers.check(root, rules))
            path = root / "runtime/base/arena.h"
            path.write_text(path.read_text() + '#include "runtime/sched/scheduler.h"\n')
            added = set(layers.check(root, rules)) - before
        self.assertTrue(
            any("runtime/base may not use runtime/sched" in problem for problem in added), added
        )


if __name__ == "__main__":
    unittest.main()
