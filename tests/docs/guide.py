"""The C++ code and the failures in docs/guide/from-sleeps-to-events.md are those of the examples."""

import re

from snagtest import ROOT, case, expect, option, path, run

GUIDE = (ROOT / "docs" / "guide" / "from-sleeps-to-events.md").read_text(encoding="utf-8")
EXAMPLES = [ROOT / "examples" / name for name in ("from_sleeps_to_events_test.cc", "schedule_failures_test.cc")]

option("--program", type=path, help="schedule_failures_test")


def squeeze(text):
    """Without indentation and empty lines."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


@case
def code(test):
    blocks = re.findall(r"```cpp\n(.*?)```", GUIDE, re.DOTALL)
    expect(blocks, "the guide has no code")
    sources = [squeeze(example.read_text(encoding="utf-8")) for example in EXAMPLES]
    for block in blocks:
        expect(any(squeeze(block) in source for source in sources), "no example has this code", block)


@case
def failures(test):
    lines = run(test.options.program, "--gtest_list_tests").out.splitlines()
    printed = ""
    for name in [f"Failures.{line.strip()}" for line in lines if line.startswith("  ")]:
        done = run(test.options.program, f"--gtest_filter={name}", code=None)
        expect(done.code != 0, f"{name} does not fail", done)
        printed += done.text
    section = GUIDE.partition("## Reading a failure\n")[2].partition("\n## ")[0]
    shown = re.findall(r"(?:^    .*\n)+", re.sub(r"```.*?```", "", section, flags=re.DOTALL), re.MULTILINE)
    expect(shown, "the guide has no failures")
    for text in shown:
        text = "".join(line.removeprefix("    ") for line in text.splitlines(keepends=True)).rstrip("\n")
        expect(text in printed, "no example prints this", text, "they print:", printed)
