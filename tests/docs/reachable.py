#!/usr/bin/env python3
"""Checks that the documentation is easy to enter: reachable.py <source directory>.

Every page can be reached from docs/README.md within two clicks, and README.md is short.
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s#]+\.md)(?:#[^)\s]*)?\)")
MAX_CLICKS = 2
MAX_README_LINES = 120


def linked(page):
    links = LINK.findall(page.read_text(encoding="utf-8"))
    return {(page.parent / link).resolve() for link in links if "://" not in link}


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = set((root / "docs").rglob("*.md"))
    seen = {root / "docs/README.md"}
    for _ in range(MAX_CLICKS):
        seen |= {target for page in seen & pages for target in linked(page)}
    wrong = [f"{page} takes more than {MAX_CLICKS} clicks from docs/README.md" for page in sorted(pages - seen)]
    lines = len((root / "README.md").read_text(encoding="utf-8").splitlines())
    if lines > MAX_README_LINES:
        wrong.append(f"README.md has {lines} lines, more than {MAX_README_LINES}: move some of it to docs/")
    if len(pages) < 2:
        wrong.append("docs/ has no pages")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
