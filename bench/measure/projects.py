"""Other people's programs: public projects with threads, from Debian's source packages, built as a whole by `snag cc` and
`snag c++`, and their own tests run case by case. Nothing may break the build or hang, every failure has to be confirmed by
its replay, and every report has to be one that was looked into (projects_table.py)."""
import bz2
import json
import os
import pathlib
import random
import shlex
import subprocess
import time

from measure.common import number, progress, table
from measure.debian_sources import fetch
from measure.projects_table import PROJECTS

SECONDS = 20
HUNG = 4  # times the time limit, for confirming and shrinking as well


def measure(bench):
    folder = bench.build / "bench" / "projects"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [project for project in PROJECTS if (bench.options.programs or "") in project.name]
    studies, problems = [], []
    for project in wanted:
        source = fetch(project.name, folder)
        if source is None:
            problems.append(f"{project.name}: the source package could not be downloaded")
            continue
        study = Study(bench, project, source, folder)
        study.all_of_it()
        studies.append(study.result)
        problems += [f"{project.name}: {problem}" for problem in study.problems]
    progress("")
    table(["project", "build, s", "plain", "factor", "own tests, times slower", "cases", "schedules a CPU second", "cut short"],
          [row_of(study) for study in studies])
    for study in studies:
        for report, count in sorted(study["reports"].items()):
            print(f"{study['project']}: {report} ({count} times)" if count > 1 else f"{study['project']}: {report}")
    bench.save("projects", {"projects": studies, "problems": problems})
    return problems


def row_of(study):
    built, plain, slower = (study.get(key) for key in ("build_seconds", "plain_build_seconds", "slower"))
    return [study["project"], number(built), number(plain), number(built / plain) if built and plain else ".",
            number(slower), len(study["cases"]), number(study["rate"]), number(study["cut"])]


class Study:
    """One project."""

    def __init__(self, bench, project, source, folder):
        self.bench, self.project, self.source, self.folder = bench, project, source, folder
        self.problems = []
        self.result = {"project": project.name, "cases": [], "reports": {}, "rate": None, "cut": 0}
        self.environment = {**os.environ, **dict(project.environment), "TEST_TMPDIR": str(scratch(folder))}
        self.input = make_input(folder)

    def all_of_it(self):
        binaries = self.bench.snag.parent
        plain, snag = self.folder / "plain" / self.project.name, self.folder / "snag" / self.project.name
        self.result["plain_build_seconds"] = self.build(plain, "gcc", "g++")
        self.result["build_seconds"] = self.build(snag, binaries / "snag-cc", binaries / "snag-c++")
        if self.problems:
            return
        self.compare_natively(plain, snag)
        for case in self.project.cases:
            self.search(snag, case)
        rated = [case for case in self.result["cases"] if case["cpu_seconds"]]
        if rated:
            self.result["rate"] = sum(case["runs"] for case in rated) / sum(case["cpu_seconds"] for case in rated)

    def build(self, folder, cc, cxx):
        """Processor seconds of the build: real time mostly measures what else the machine does."""
        kept = folder / "build-seconds"
        if kept.exists():
            return float(kept.read_text())
        folder.mkdir(parents=True, exist_ok=True)
        progress(f"building {self.project.name} with {cc}")
        seconds = 0
        for command in self.project.build:
            text = command.format(source=self.source, cc=cc, cxx=cxx)
            code, spent, said = run(shlex.split(text), folder, self.environment, 3600)
            seconds += spent
            if code != 0:
                self.problems.append(f"does not build with {cc}: {text}\n{said[-2000:]}")
                return None
        kept.write_text(str(seconds), encoding="ascii")
        return seconds

    def command(self, folder, case):
        words = shlex.split(case.format(input=self.input))
        return [str(folder / words[0]), *words[1:]]

    def compare_natively(self, plain, snag):
        """All cases, each alone, in both builds: processor time against processor time."""
        spent = {plain: 0, snag: 0}
        for case in self.project.cases:
            progress(f"{self.project.name}: {case}, without snag")
            for folder in spent:
                code, seconds, _ = run(self.command(folder, case), folder, self.environment, 300)
                spent[folder] += seconds
                if code is None:
                    self.problems.append(f"{case}: no end in 300 s without snag, in {folder}")
        self.result["slower"] = spent[snag] / spent[plain] if spent[plain] else None

    def search(self, folder, case):
        progress(f"{self.project.name}: {case}")
        seconds = 2 if self.bench.quick else SECONDS
        command = [self.bench.snag, "run", "--json", "--quiet", "--keep-going", "--seed", "1", "--time", str(seconds),
                   "--out", self.folder / "traces", *self.project.options, "--", *self.command(folder, case)]
        code, spent, said = run(list(map(str, command)), folder, self.environment, HUNG * seconds + 120, output_only=True)
        try:
            found = json.loads(said)
        except ValueError:
            self.problems.append(f"{case}: {'it hangs' if code is None else f'exit {code}'}: {said[-300:]}")
            return
        self.result["cut"] += found.get("cut_runs", 0)
        self.result["cases"].append({"case": case, "runs": found["runs"], "steps": found["steps"], "cpu_seconds": spent,
                                     "threads": found.get("max_threads"), "uncontrolled": found.get("uncontrolled")})
        if "error" in found:
            self.problems.append(f"{case}: {found['error']}")
        for failure in found["failures"]:
            self.judge(case, failure)

    def judge(self, case, failure):
        if not failure.get("confirmed"):
            self.problems.append(f"{case}: {failure['kind']} not confirmed: {failure.get('replay_problem')}")
        text = case + json.dumps([failure.get("race"), failure.get("heap"), failure.get("threads")])
        for known in self.project.reports:
            if known.kind == failure["kind"] and known.word in text:
                said = f"{known.kind}, {known.verdict}"
                self.result["reports"][said] = self.result["reports"].get(said, 0) + 1
                return
        self.problems.append(f"{case}: a report that nobody has looked into: {failure['kind']}: {failure.get('message')} "
                             f"({failure.get('trace')})")


def run(command, folder, environment, patience, output_only=False):
    """Exit code (None if there was no end), processor seconds with all that was started, and what was said."""
    with open(folder / "said", "w+", encoding="utf-8", errors="replace") as said:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=said,
                                   stderr=subprocess.DEVNULL if output_only else said)
        end = time.monotonic() + patience
        while time.monotonic() < end:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = os.waitstatus_to_exitcode(status)
                said.seek(0)
                return process.returncode, usage.ru_utime + usage.ru_stime, said.read()
            time.sleep(0.01)
        process.kill()
        process.wait()
    return None, 0, ""


def scratch(folder) -> pathlib.Path:
    """Where the tests may write."""
    path = folder / "scratch"
    path.mkdir(exist_ok=True)
    return path


def make_input(folder) -> pathlib.Path:
    """A text of several blocks of bzip2, the same one every time, and the same compressed in several streams."""
    path = folder / "input"
    words = random.Random(1)
    text = " ".join(f"{words.randrange(5000) ** 2:x}" for _ in range(35_000)).encode("ascii")
    path.write_bytes(text)
    pathlib.Path(f"{path}.bz2").write_bytes(b"".join(bz2.compress(text[i:i + 60_000], 1) for i in range(0, len(text), 60_000)))
    return path
