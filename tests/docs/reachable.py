"""The documentation is easy to enter: docs/README.md leads to every page within two clicks, and README.md is short."""

import re

from snagtest import ROOT, case, expect

LINK = re.compile(r"\]\(([^)\s#]+\.md)(?:#[^)\s]*)?\)")
MAX_CLICKS = 2
MAX_README_LINES = 120


def linked(page):
    links = LINK.findall(page.read_text(encoding="utf-8"))
    return {(page.parent / link).resolve() for link in links if "://" not in link}


@case
def few_clicks(test):
    pages = set((ROOT / "docs").rglob("*.md"))
    expect(len(pages) > 1, "docs/ has no pages")
    seen = {ROOT / "docs" / "README.md"}
    for _ in range(MAX_CLICKS):
        seen |= {target for page in seen & pages for target in linked(page)}
    expect(not pages - seen, f"these pages take more than {MAX_CLICKS} clicks from docs/README.md",
           *map(str, sorted(pages - seen)))


@case
def short_readme(test):
    lines = len((ROOT / "README.md").read_text(encoding="utf-8").splitlines())
    expect(lines <= MAX_README_LINES, f"README.md has {lines} lines, more than {MAX_README_LINES}: move some to docs/")
