#!/usr/bin/env python3
"""Runs `snag cover why` on why.cc, and checks what it says about pairs that can and cannot be covered.

    why.py <snag>
"""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE / "why.cc"


def line_of(comment):
    """"why.cc:13" of the line that ends in the comment."""
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    return f"why.cc:{1 + next(i for i, line in enumerate(lines) if line.endswith('// ' + comment))}"


def call(*command, cwd, code=0):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=120)
    if done.returncode != code:
        sys.exit(f"exit {done.returncode} instead of {code}: {command}\n{done.stdout}\n{done.stderr}")
    return done.stdout, done.stderr


def paragraphs(text):
    """The lines about each pair, by (first place, second place)."""
    result, current = {}, None
    for line in text.splitlines():
        if not line.startswith(" "):
            words = line.replace(",", "").split()
            places = [word for word in words if word.startswith("why.cc:")]
            current = result.setdefault(tuple(":".join(place.split(":")[:2]) for place in places), [])
        elif current is not None:
            current.append(line.strip())
    return result


def expect(condition, what):
    if not condition:
        sys.exit(what)


def main():
    snag = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="snag-why.") as folder:
        call(snag, "c++", "-O1", "-g", "-std=c++20", SOURCE, "-o", "why", cwd=folder)
        _, error = call(snag, "cover", "why", "--", "./why", cwd=folder, code=2)
        expect("measure first" in error, f"no data file: {error}")
        call(snag, "cover", "--control", "--runs", "60", "--seed", "1", "--", "./why", cwd=folder)
        out, error = call(snag, "cover", "why", "--runs", "60", "--", "./why", cwd=folder)
        pairs = paragraphs(out)

        # Two threads deposit: after one's read comes its own write, always.
        text = pairs.get((line_of("withdraw reads"), line_of("deposit writes")))
        expect(text is not None, f"no paragraph on the account:\n{out}")
        expect(any("seems impossible: both are done under one lock" in line and
                   line_of("withdraw locks") in line and line_of("deposit locks") in line for line in text), text)
        expect(any(line.startswith("under one lock: mutex, taken at") for line in text), text)
        expect(any(line.startswith("nearest: run") for line in text), text)
        # The thread cannot have read before main configured, nor after it had joined the thread.
        for first, second in (("thread reads", "main configures"), ("main ends", "thread reads")):
            text = pairs.get((line_of(first), line_of(second)))
            expect(text is not None and any("by the start or the join of a thread" in line for line in text),
                   f"{first}, {second}: {text}\n{out}")
            expect("never in this order" in text, text)
        # What is covered, or can be, is not called impossible.
        expect((line_of("main configures"), line_of("thread reads")) not in pairs, out)

        proposed, _ = call(snag, "cover", "prune", "--propose", cwd=folder)
        expect(f"lp: read at {line_of('withdraw reads')} in withdraw() then write at {line_of('deposit writes')} in "
               "deposit()" in proposed, proposed)
        pathlib.Path(folder, "snag.prune").write_text(proposed, encoding="utf-8")
        call(snag, "cover", "report", cwd=folder)
        again, _ = call(snag, "cover", "prune", "--propose", cwd=folder)
        expect(again == "", f"proposed again: {again}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
