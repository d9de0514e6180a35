"""The relative links of the documentation lead to files and headings that exist, and docs/README.md lists every page."""

import re

from snagtest import ROOT, case, each, expect

LINK = re.compile(r"\]\(([^)\s]+)\)")
DOCS = sorted((ROOT / "docs").rglob("*.md"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *DOCS]


def name_of(page):
    return str(page.relative_to(ROOT).with_suffix("")).replace("/", ".")


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    found = set()
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            title = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower())
            found.add(title.replace(" ", "-"))
    return found


@each({name_of(page): page for page in PAGES})
def check(test, page):
    wrong = []
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in link:
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if not target.exists():
            wrong.append(f"{link} leads nowhere")
        elif anchor and anchor not in anchors(target):
            wrong.append(f"{link}: no such heading")
    expect(not wrong, f"wrong links in {page}", *wrong)


@case
def index(test):
    text = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    missing = [str(page) for page in DOCS
               if page.name != "README.md" and f"({page.relative_to(ROOT / 'docs')})" not in text]
    expect(not missing, "docs/README.md does not list these pages", *missing)
