#!/usr/bin/env python3
"""Checks that clang-format would change nothing in the C++ files of the repository."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def sources():
    for path in sorted(ROOT.rglob("*")):
        top = path.relative_to(ROOT).parts[0]
        if path.suffix in {".cc", ".h"} and not top.startswith(("build", ".")):
            yield path


def main():
    files = [str(path) for path in sources()]
    done = subprocess.run(
        ["clang-format", "--dry-run", "--Werror", *files], stderr=subprocess.PIPE, text=True, check=False
    )
    changed = sorted({line.split(":")[0] for line in done.stderr.splitlines() if ": error:" in line})
    for name in changed:
        print(pathlib.Path(name).relative_to(ROOT))
    if done.returncode:
        print(f"{len(changed)} files are not formatted: run 'make format'", done.stderr[:2000] if not changed else "")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
