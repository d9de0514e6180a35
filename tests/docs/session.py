"""The commands of a page print what the page shows.

The commands are the lines `$ command` of indented blocks. They are executed one after the other in a folder with the
sources. Times may differ; `...` stands for any lines. If a command ends in the comment `# may differ`, its output is not
compared: a program that runs freely prints something else each time.
"""

import os
import pathlib
import re
import shutil

from snagtest import ROOT, each, expect, run

# Case: the page, and the sources it uses.
PAGES = {"first_failure": ("docs/start/first-failure.md", "examples/tickets.cc"),
         "cover": ("docs/guide/cover.md", "examples/inbox.cc")}


def blocks(text):
    return [block for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.MULTILINE) if "    $ " in block]


def steps(block):
    """The commands, and the output that the page shows for each."""
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


@each(PAGES)
def check(test, row):
    page, *sources = row
    for source in sources:
        shutil.copy(ROOT / source, ".")
    env = {"PATH": f"{pathlib.Path(test.snag_path).parent}:{os.environ['PATH']}"}
    commands = [step for block in blocks((ROOT / page).read_text(encoding="utf-8")) for step in steps(block)]
    expect(commands, f"{page} has no commands")
    for command, shown in commands:
        done = run("sh", "-c", f"{{ {command.partition(' # may differ')[0]}\n}} 2>&1", code=None, env=env)
        if not command.endswith("# may differ"):
            expect(fits(shown, done.out), f"$ {command}\nthe page shows:\n{shown}\nthe command prints:", done.out)
