"""The guides name every option of the commands that they describe, and no other."""

import re

from snagtest import ROOT, each, expect

OPTION = re.compile(r"--[a-z][a-z-]*")
# Command: its page in docs/guide.
PAGES = {"active": "active", "gen": "gen", "run": "run", "replay": "replay", "shrink": "shrink", "export": "export",
         **{command: "cover" for command in ("cover", "cover report", "cover merge", "cover diff", "cover curve",
                                             "cover prune", "cover why")}}


@each({command.replace(" ", "_"): command for command in PAGES})
def check(test, command):
    text = (ROOT / "docs" / "guide" / f"{PAGES[command]}.md").read_text(encoding="utf-8")
    help_lines = [line for line in test.snag(*command.split(), "--help").out.splitlines() if re.match(r"  -", line)]
    offered = {OPTION.search(line).group() for line in help_lines} - {"--help"}
    section = text.partition(f"## Options of snag {command}\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    described = {name for row in rows for name in OPTION.findall(row)}
    expect(offered, f"snag {command} --help shows no options")
    expect(offered <= described, "the page does not describe these options", *sorted(offered - described))
    expect(described <= offered, "the command does not have these options", *sorted(described - offered))
