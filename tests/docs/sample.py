"""The failure in README.md is the one that the example shows."""

from snagtest import ROOT, case, expect


@case
def sample(test):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    baseline = (ROOT / "tests" / "baselines" / "tables" / "check-then-act.txt").read_text(encoding="utf-8")
    shown = "\n".join(line.removeprefix("    ") for line in readme.splitlines())
    wanted = baseline.partition("\n\n")[2].strip()  # the first lines have the number of runs
    expect(wanted and wanted in shown, "README.md shows another failure than this", wanted)
