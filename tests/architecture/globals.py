#!/usr/bin/env python3
"""Checks that the runtime has no static constructors: every variable of a namespace in runtime/ is constinit or
constexpr; and with --object, the merged object has no constructors but those with a priority, which say so in the
source: __attribute__((constructor(101))).

Prints one line for each violation, and exits with 1 if there is any.
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
TEXT = re.compile(r'R"\(.*?\)"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'', re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.M)
ATTRIBUTE = re.compile(r"\[\[[^\]]*\]\]|__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|alignas\s*\([^()]*\)")
OPENS_NAMESPACE = re.compile(r"(?:^|\s)(?:inline\s+)?(?:namespace(?:\s+[\w:]+)?|extern\s*\"\")\s*$")
NO_VARIABLE = re.compile(r"(?:using|typedef|static_assert|template|friend|extern|namespace|asm)\b")
# A type, a name, perhaps bounds. Behind it a function has its parameters, a variable its value or nothing.
VARIABLE = re.compile(r"^(?:[\w:]+(?:<.*>)?[\s*&]+)+(?:const\s+)?(?P<name>\w+)\s*(?:\[[^\]]*\]\s*)*(?:=|$|\{)", re.S)
TYPE_ONLY = re.compile(r"^(?:struct|class|enum|union)\b[^={]*(?:\{\})?$")
CONSTANT = re.compile(r"\b(?:constinit|constexpr)\b")


def blank(match):
    """The same number of lines, so that positions stay where they are."""
    return re.sub(r"[^\n]", " ", match[0])


def plain(text):
    text = COMMENT.sub(blank, text)
    text = TEXT.sub(lambda match: '""' + blank(match)[2:], text)
    text = DIRECTIVE.sub(blank, text)
    return ATTRIBUTE.sub(blank, text)


def statements(text):
    """The statements of namespaces, with their lines; what is in other braces becomes {}."""
    statement, begin, inner = "", None, 0
    for position, letter in enumerate(text):
        if inner > 0:
            inner += (letter == "{") - (letter == "}")
            if inner == 0:
                statement += "}"
                # A function's body has no semicolon behind it.
                if re.search(r"\)[^={]*\{\}$", statement) and "=" not in statement.split("(")[0]:
                    statement, begin = "", None
            continue
        if letter == "{" and OPENS_NAMESPACE.search(statement):
            statement, begin = "", None
        elif letter == "{":
            statement += "{"
            inner = 1
        elif letter == "}":
            statement, begin = "", None  # of a namespace
        elif letter == ";":
            if begin is not None:
                yield " ".join(statement.split()), text.count("\n", 0, begin) + 1
            statement, begin = "", None
        else:
            if begin is None and not letter.isspace():
                begin = position
            statement += letter


def problems_of(name, text):
    found = []
    for statement, line in statements(plain(text)):
        if NO_VARIABLE.match(statement) or CONSTANT.search(statement) or TYPE_ONLY.match(statement):
            continue
        variable = VARIABLE.match(statement)
        if variable:
            found.append(f"{name}:{line}: {variable['name']} is neither constinit nor constexpr")
    return found


def initializers(dump):
    """The functions that `objdump -r` shows in .init_array. (With a priority it is .init_array.00101.)"""
    found, is_there = [], False
    for line in dump.splitlines():
        if line.startswith("RELOCATION RECORDS FOR"):
            is_there = line.endswith(("[.init_array]:", "[.ctors]:"))
        elif is_there and len(line.split()) == 3 and line.split()[0] != "OFFSET":
            found.append(line.split()[2])
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--object", help="the merged object or archive of the runtime")
    arguments = parser.parse_args()
    found = []
    for path in sorted((ROOT / "runtime").rglob("*")):
        if path.suffix in {".h", ".cc"} and not path.stem.endswith(("_test", "_for_test")):
            found += problems_of(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
    if arguments.object:
        dump = subprocess.run(["objdump", "-r", arguments.object], check=True, capture_output=True, text=True).stdout
        found += [f"{arguments.object}: has a static constructor: {name}" for name in initializers(dump)]
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
