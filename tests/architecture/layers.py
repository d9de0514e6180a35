#!/usr/bin/env python3
"""Checks the folders of the product against tests/architecture/layers.txt:

  - an #include leads to the same folder, or to one that the file's folder may use;
  - a folder uses only folders that stand above it in layers.txt, so there is no cycle of folders;
  - components (x.h and x.cc of one folder) include each other without a cycle;
  - every .cc has a header of its own name, or says in its first line what it implements;
  - the namespace of a file is that of its folder;
  - no folder has more than MOST_FILES source files.

Prints one line for each violation, and exits with 1 if there is any.
"""
import argparse
import collections
import pathlib
import re
import sys

MOST_FILES = 35
SOURCE = {".h", ".cc", ".c"}
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
NAMESPACE = re.compile(r"^namespace (snag[\w:]*)", re.M)
PUBLIC = "include"  # <snag/...>: included as "snag/x.h"


class Rules:
    def __init__(self, text):
        self.uses = {}  # folder -> folders that it may include
        self.namespaces = {}  # folder -> namespace
        self.errors = []
        for number, line in enumerate(text.splitlines(), 1):
            line = line.split("#")[0].strip()
            if not line:
                continue
            match = re.fullmatch(r"(folder|namespace) (\S+):\s*(.*)", line)
            if not match:
                self.errors.append(f"layers.txt:{number}: not a rule: {line}")
                continue
            kind, name, folders = match[1], match[2], match[3].split()
            if kind == "namespace":
                self.namespaces.update((folder, name) for folder in folders)
                continue
            for folder in folders:
                if folder not in self.uses and folder != PUBLIC:
                    self.errors.append(
                        f"layers.txt:{number}: {name} uses {folder}, which does not stand above it"
                    )
            self.uses[name] = set(folders)

    def namespace_of(self, folder):
        while folder:
            if folder in self.namespaces:
                return self.namespaces[folder]
            folder = folder.rpartition("/")[0]
        return None


def is_test(path):
    return path.stem.endswith(("_test", "_for_test"))


def component_cycles(edges):
    """The strongly connected components with more than one member (Tarjan's algorithm)."""
    index, low, stack, on_stack, cycles = {}, {}, [], set(), []

    def visit(node):
        work = [(node, iter(sorted(edges[node])))]
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack.add(node)
        while work:
            current, successors = work[-1]
            for successor in successors:
                if successor not in index:
                    index[successor] = low[successor] = len(index)
                    stack.append(successor)
                    on_stack.add(successor)
                    work.append((successor, iter(sorted(edges[successor]))))
                    break
                if successor in on_stack:
                    low[current] = min(low[current], index[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[current])
                if low[current] == index[current]:
                    members = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        members.append(member)
                        if member == current:
                            break
                    if len(members) > 1:
                        cycles.append(sorted(members))

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return cycles


def check(root, rules):
    problems = list(rules.errors)
    tops = sorted({folder.split("/")[0] for folder in rules.uses})
    files = sorted(
        path
        for top in tops
        for path in (root / top).rglob("*")
        if path.suffix in SOURCE and path.is_file()
    )
    counts = collections.Counter()
    components = collections.defaultdict(set)
    for path in files:
        name = path.relative_to(root).as_posix()
        folder = path.parent.relative_to(root).as_posix()
        counts[folder] += 1
        if folder not in rules.uses:
            problems.append(f"{name}: layers.txt has no line for the folder {folder}")
            continue
        text = path.read_text()
        for include in INCLUDE.findall(text):
            target = include.rpartition("/")[0]
            if include.startswith("snag/"):
                target = PUBLIC
            if target.startswith("tests/"):
                if not is_test(path):
                    problems.append(f"{name}: includes {include}, but is no test")
                continue
            if not (root / include).is_file() and target != PUBLIC:
                problems.append(f"{name}: includes {include}, which does not exist")
                continue
            # A unit test may use more, such as a fake of a folder above it.
            if target != folder and target not in rules.uses[folder] and not is_test(path):
                problems.append(f"{name}: includes {include}, but {folder} may not use {target}")
            if not is_test(path) and target != PUBLIC:
                used = include.rpartition(".")[0]
                own = name.rpartition(".")[0]
                if used != own:
                    components[own].add(used)
                    components[used]  # known, if only as a target
        expected = rules.namespace_of(folder)
        for namespace in NAMESPACE.findall(text)[:1]:
            if namespace != expected and not namespace.startswith(f"{expected}::"):
                problems.append(
                    f"{name}: is in namespace {namespace}, but that of its folder is {expected}"
                )
        if path.suffix in {".cc", ".c"} and not is_test(path) and path.stem != "main":
            first = text.split("\n", 1)[0]
            if not path.with_suffix(".h").is_file() and not re.match(r"// Implements \S", first):
                problems.append(
                    f"{name}: has no header of its name, so its first line must be "
                    "'// Implements <header>: ...'"
                )
    for cycle in component_cycles(components):
        problems.append("include cycle: " + " ".join(cycle))
    for folder, count in sorted(counts.items()):
        if count > MOST_FILES:
            problems.append(f"{folder}: has {count} source files, more than {MOST_FILES}")
    return problems


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=here.parent.parent)
    arguments = parser.parse_args()
    rules = Rules((here / "layers.txt").read_text())
    problems = check(arguments.root, rules)
    for problem in problems:
        print(problem)
    print(f"{len(problems)} violations" if problems else "no violations")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
