#!/usr/bin/env python3
"""Checks that the commands of a page print what the page shows: session.py <snag> <page> <source>...

Those are the indented blocks with lines `$ command`. They are executed one after the other in a new folder with the
sources. Times, folders and hashes may differ; `...` stands for any lines. What a program prints that runs freely is not
compared: a command that ends in a comment `# may differ`.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def blocks(text):
    return [block for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.MULTILINE) if "    $ " in block]


def steps(block):
    """Commands, and what is shown behind each."""
    lines = [line.removeprefix("    ") for line in block.rstrip("\n").split("\n")]
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        elif found:
            found[-1][1].append(line)
    return [(command, "\n".join(shown).strip()) for command, shown in found]


def normalised(text):
    return re.sub(r"\b[\d.]+ s\b", "N s", text).strip()


def fits(shown, printed):
    pieces = [re.escape(piece) for piece in normalised(shown).split("...")]
    return re.fullmatch(".*".join(pieces), normalised(printed), re.DOTALL)


def main():
    snag, page, *sources = sys.argv[1:]
    env = {**os.environ, "PATH": f"{pathlib.Path(snag).resolve().parent}:{os.environ['PATH']}"}
    text = pathlib.Path(page).read_text(encoding="utf-8")
    wrong = []
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            shutil.copy(source, folder)
        for block in blocks(text):
            for command, shown in steps(block):
                done = subprocess.run(command, shell=True, cwd=folder, env=env, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True, timeout=300)
                count += 1
                if not command.endswith("# may differ") and not fits(shown, done.stdout):
                    wrong.append(f"$ {command}\nthe page shows:\n{shown}\nit prints:\n{done.stdout}")
    if count == 0:
        wrong.append("the page has no commands")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
