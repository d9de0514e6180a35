#!/usr/bin/env python3
"""Checks that the relative links of the documentation lead to files and headings that exist.

Usage: links.py <source directory>
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(path):
    """The anchors of a page's headings, as GitHub makes them."""
    found = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            title = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower())
            found.add(title.replace(" ", "-"))
    return found


def main():
    root = pathlib.Path(sys.argv[1])
    pages = [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    pages += sorted((root / "docs").rglob("*.md"))
    wrong = []
    for page in pages:
        for link in LINK.findall(page.read_text(encoding="utf-8")):
            if "://" in link:
                continue
            file, _, anchor = link.partition("#")
            target = (page.parent / file).resolve() if file else page
            if not target.exists():
                wrong.append(f"{page}: {link} leads nowhere")
            elif anchor and anchor not in anchors(target):
                wrong.append(f"{page}: {link}: no such heading")
    index = (root / "docs/README.md").read_text(encoding="utf-8")
    for page in sorted((root / "docs").rglob("*.md")):
        if page.name != "README.md" and f"({page.relative_to(root / 'docs')})" not in index:
            wrong.append(f"{page} is not in docs/README.md")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
