#!/usr/bin/env python3
"""Measures real programs and looks at what the commands of snag cover say: run.py <snag> <inbox.cc>."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

SNAG, INBOX = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs.cc"
PATIENCE = 120  # seconds, on a machine under load
checks = 0


def check(condition, what):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"FAIL {what}")


def run(*arguments, code=0, stdin=""):
    """Standard output and error of snag, which must end with that code."""
    done = subprocess.run([SNAG, *arguments], input=stdin, capture_output=True, text=True, timeout=PATIENCE)
    check(done.returncode == code, f"exit {done.returncode} instead of {code}: {arguments}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def report(*arguments):
    return json.loads(run("cover", "report", "--json", *arguments)[0])


def compile_programs():
    for name, source in (("prog", PROGRAMS), ("inbox", INBOX)):
        run("c++", "-std=c++20", "-O1", "-g", str(source), "-o", name)
    run("c++", "-std=c++20", "-O1", "-g", "-DOTHER", "-DNDEBUG", str(PROGRAMS), "-o", "other")


def test_free_run():
    out, err = run("cover", "--", "./prog", "copy", stdin="what goes in\n")
    check(out == "what goes in\n", f"the program's streams are not its own: {out}")
    check("location pairs covered" in err, err)
    data = report("--uncovered", "--covered")
    pairs = data["totals"]["lp"]
    check(0 < pairs["covered"] <= pairs["target"], pairs)
    check(data["all_code_known"], "the code is not known")
    texts = [pair["text"] for pair in data["covered"]]
    check(any("on turns" in text and " then " in text for text in texts), texts)
    check(any(pair.get("variable") == "shared" for pair in data["covered"]), texts)
    lines, functions = data["totals"]["lines"], data["totals"]["functions"]
    check(0 < lines["covered"] < lines["target"], lines)
    check(functions["covered"] < functions["target"], "a function was never called")
    run("cover", "--runs", "3", "--", "./prog")
    check(sum(m["runs"] for m in report()["measurements"]) == 4, "runs are not added up")


def test_reports():
    text, _ = run("cover", "report", "--uncovered", "--lcov", "out.info", "--annotate")
    check("coverage of prog" in text and "programs.cc" in text, text)
    info = pathlib.Path("out.info").read_text(encoding="utf-8")
    check(f"SF:{PROGRAMS}" in info and "FNDA:0,NeverCalled" in info and "BRDA:" in info, info)
    pages = subprocess.run(["genhtml", "--branch-coverage", "-o", "pages", "out.info"], capture_output=True, text=True,
                           check=False)
    check(pages.returncode == 0 and re.search(r"branches\.*: \d+\.\d% \(\d+ of \d+", pages.stdout), pages.stdout + pages.stderr)
    run("cover", "report", "--fail-under", "1")
    _, err = run("cover", "report", "--fail-under", "100", "--metric", "lines", code=1)
    check("less than 100 %" in err, err)
    csv, _ = run("cover", "curve", "--by", "runs", "--svg", "curve.svg", "--csv", "-")
    check(csv.startswith("runs,lp,lines\n0,0,0\n"), csv)
    check("<polyline" in pathlib.Path("curve.svg").read_text(encoding="utf-8"), "no curve")


def test_failures():
    _, err = run("cover", "-o", "crash.cover", "--", "./prog", "crash", code=1)
    check("was killed by SIGSEGV" in err, err)
    check(report("crash.cover")["totals"]["lp"]["covered"] > 0, "a crash has lost what was covered")
    _, err = run("cover", "-o", "crash.cover", "--", "./prog", "fail", code=1)
    check("exited with status 7" in err, err)
    check(sum(m["failed_runs"] for m in report("crash.cover")["measurements"]) == 2, "failures are not counted")


def started(*arguments):
    process = subprocess.Popen([SNAG, "cover", *arguments, "--", "./prog", "wait"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    check(process.stdout.readline() == "ready\n", "the program does not run")
    return process


def test_interrupt():
    process = started("-o", "interrupted.cover")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    check(process.returncode == 128 + signal.SIGINT and "interrupted" in err, err)
    check(report("interrupted.cover")["totals"]["lp"]["covered"] > 0, "an interrupt has lost what was covered")


def test_killed_tool():
    process = started("-o", "killed.cover")
    deadline = time.monotonic() + PATIENCE
    while " p 0 " not in pathlib.Path("killed.cover").read_text(encoding="utf-8"):
        if time.monotonic() > deadline:
            sys.exit("FAIL nothing is written while the program runs")
        os.sched_yield()
    process.kill()
    process.communicate(timeout=PATIENCE)
    data = report("killed.cover")
    check(data["totals"]["lp"]["covered"] > 0 and not data["all_code_known"], data["totals"])
    _, err = run("cover", "report", "--fail-under", "0", "killed.cover", code=1)
    check("the data is not complete" in err, err)
    run("cover", "-o", "killed.cover", "--", "./prog")
    check(report("killed.cover")["all_code_known"], "the code is not known afterwards")
    run("cover", "report", "--fail-under", "0", "killed.cover")


def test_cut_file():
    run("cover", "-o", "whole.cover", "--", "./prog")
    whole = report("whole.cover")["totals"]["lines"]["target"]
    records = pathlib.Path("whole.cover").read_text(encoding="utf-8").splitlines(keepends=True)
    locations = [i for i, record in enumerate(records) if record[9:11] == "l "]
    pathlib.Path("cut.cover").write_text("".join(records[:locations[len(locations) // 2]]), encoding="utf-8")
    check(report("cut.cover")["totals"]["lines"]["target"] < whole, "nothing was cut off")
    _, err = run("cover", "report", "--fail-under", "0", "--metric", "lines", "cut.cover", code=1)
    check("the data is not complete" in err, err)
    run("cover", "merge", "cut.cover", "whole.cover", "-o", "merged.cover")
    run("cover", "report", "--fail-under", "0", "--metric", "lines", "merged.cover", code=1)
    run("cover", "-o", "cut.cover", "--", "./prog")
    check(report("cut.cover")["totals"]["lines"]["target"] == whole, "the lines are not complete again")
    run("cover", "report", "--fail-under", "0", "--metric", "lines", "cut.cover")


def test_busy_file():
    process = started("-o", "busy.cover")
    run("cover", "-o", "idle.cover", "--", "./prog")
    _, err = run("cover", "merge", "idle.cover", "-o", "busy.cover", code=2)
    check("another measurement is writing to 'busy.cover'" in err, err)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)


def test_outputs_stay_what_they_are():
    run("cover", "-o", "out.cover", "--", "./prog")
    pathlib.Path("target.info").touch(mode=0o640)
    os.chmod("target.info", 0o640)
    os.symlink("target.info", "link.info")
    run("cover", "report", "--lcov", "link.info", "out.cover")
    check(os.path.islink("link.info"), "the link was replaced")
    check(os.stat("target.info").st_mode & 0o777 == 0o640, "the mode has changed")
    check("end_of_record" in pathlib.Path("target.info").read_text(encoding="utf-8"), "nothing behind the link")
    os.symlink("later.csv", "link.csv")
    run("cover", "curve", "--csv", "link.csv", "out.cover")
    check(os.path.islink("link.csv") and os.path.isfile("later.csv"), "a link to what is not there yet")
    os.mkfifo("fifo")
    with subprocess.Popen(["cat", "fifo"], stdout=subprocess.PIPE, text=True) as reader:
        run("cover", "report", "--lcov", "fifo", "out.cover")
        check("end_of_record" in reader.communicate(timeout=PATIENCE)[0], "nothing came out of the FIFO")
    check(pathlib.Path("fifo").is_fifo(), "the FIFO was replaced")
    os.symlink("linked_to.cover", "linked.cover")
    for _ in range(2):
        run("cover", "-o", "linked.cover", "--", "./prog")
    check(os.path.islink("linked.cover"), "the data file's link was replaced")
    check(sum(m["runs"] for m in report("linked_to.cover")["measurements"]) == 2, "not measured into one file")


def test_locals():
    run("cover", "--control", "--runs", "20", "--seed", "1", "-o", "locals.cover", "--", "./prog", "locals")
    data = report("--covered", "--uncovered", "locals.cover")
    texts = [pair["text"] for pair in data["covered"] + data["uncovered"]]
    check(any(text.count("Apples") > 1 for text in texts), texts)
    both = [text for text in texts if "Apples" in text and "Pears" in text]
    check(not both, f"variables that were never there at the same time: {both}")


def test_names():
    run("cover", "--runs", "3", "-o", "names.cover", "--", "./prog", "names")
    pairs = [pair for pair in report("--covered", "names.cover")["covered"]
             if "Configure" in pair["text"] and "AddUp" in pair["text"]]
    check({pair.get("variable") for pair in pairs} == {"config", "cells[]"}, [pair["text"] for pair in pairs])


def test_overloads():
    run("cover", "report", "--lcov", "overloads.info", "locals.cover")
    info = pathlib.Path("overloads.info").read_text(encoding="utf-8")
    counts = sorted(line.split(",")[0] for line in info.splitlines()
                    if line.startswith("FNDA:") and "Overloaded" in line)
    check(counts == ["FNDA:0", "FNDA:1"], info)


def test_metrics_not_measured():
    _, err = run("cover", "report", "--metric", "du", "out.cover", code=2)
    check("du was not measured" in err and err.count("\n") == 1, err)
    run("cover", "--metric", "lp,du", "-o", "du.cover", "--", "./prog")
    text, err = run("cover", "diff", "out.cover", "du.cover")
    check("definition-use" not in text and "only one of the files has du" in err, text + err)


def test_file_limit():
    done = subprocess.run(["sh", "-c", f"ulimit -f 1; exec '{SNAG}' cover merge out.cover -o limit.cover"],
                          capture_output=True, text=True, timeout=PATIENCE)
    check(done.returncode == 2 and "cannot write 'limit.cover'" in done.stderr, f"{done.returncode} {done.stderr}")
    check(not list(pathlib.Path().glob("limit.cover*")), "half a file is left")


def test_time():
    _, err = run("cover", "--time", "0.2", "-o", "time.cover", "--", "./prog", "wait")
    check("1 run" in err, err)


def test_other_build():
    _, err = run("cover", "--", "./other", code=2)
    check("'snag.cover' is of another build of the program" in err, err)
    run("cover", "-o", "other.cover", "--", "./other")
    _, err = run("cover", "merge", "snag.cover", "other.cover", "-o", "x", code=2)
    check("'snag.cover' is of the program prog and 'other.cover' of other" in err, err)
    text, _ = run("cover", "diff", "snag.cover", "other.cover")
    check("different builds" in text, text)
    _, err = run("cover", "--context", "1", "--", "./prog", code=2)
    check("--context" in err, err)


def test_merge_and_diff():
    run("cover", "-o", "a.cover", "--", "./prog")
    run("cover", "-o", "b.cover", "--", "./prog", "never")
    run("cover", "merge", "a.cover", "b.cover", "-o", "ab.cover")
    run("cover", "merge", "b.cover", "a.cover", "a.cover", "-o", "ba.cover")
    check(pathlib.Path("ab.cover").read_bytes() == pathlib.Path("ba.cover").read_bytes(), "the order matters")
    text, _ = run("cover", "diff", "--metric", "lines", "a.cover", "b.cover")
    check(text.startswith("added: ") and "\n  programs.cc: " in text and "lost" not in text, text)
    data = json.loads(run("cover", "diff", "--json", "--metric", "lines", "a.cover", "b.cover")[0])
    check(any(line["text"].startswith("programs.cc:") and line["known_to_the_other"] for line in data["added"]["lines"]), data)
    text, _ = run("cover", "diff", "ab.cover", "ba.cover")
    check(text == "no difference\n", text)


def test_library_loaded_again():
    folder = PROGRAMS.parent / "plugin"
    run("c++", "-O1", "-g", "-fPIC", "-shared", str(folder / "plugin.cc"), "-o", "plugin.so")
    run("c++", "-std=c++20", "-O1", "-g", str(folder / "host.cc"), "-o", "host")
    for mode in ([], ["--control"]):
        run("cover", *mode, "-o", "host.cover", "--", "./host", "./plugin.so")
        covered = [pair["text"] for pair in report("--covered", "host.cover")["covered"] if "plugin.cc" in pair["text"]]
        check(len(covered) == 1 and "write at plugin.cc:2" in covered[0].split(" then ")[0], covered)


def test_sync():
    # Without preemptions nobody comes while a lock is held.
    options = ("cover", "--control", "--metric", "sync", "--strategy", "dfs")
    run(*options, "--preemptions", "0", "--runs", "1", "-o", "few.cover", "--", "./inbox")
    run(*options, "--runs", "200", "-o", "many.cover", "--", "./inbox")
    text, _ = run("cover", "diff", "--metric", "sync", "few.cover", "many.cover")
    check(re.search(r"added: \d+ waits at places that take locks\n  lock at .* in .*: block", text), text)
    data = json.loads(run("cover", "diff", "--json", "few.cover", "many.cover")[0])
    check(any(entry["text"].endswith(": blocking") for entry in data["added"]["sync"]), data)
    text, _ = run("cover", "report", "--metric", "sync", "--covered", "--uncovered", "few.cover")
    check("synchronisation not covered: " in text and ": never blocked, never blocking\n" in text, text)
    data = report("--metric", "sync", "--covered", "--uncovered", "many.cover")
    check(any(place["blocked"] and place["place"]["action"] == "lock" for place in data["covered"]), data)
    missing = sum((not place["blocked"]) + (not place["blocking"]) for place in data["uncovered"])
    check(missing == data["totals"]["sync"]["target"] - data["totals"]["sync"]["covered"], data)


def test_ignore():
    run("cover", "-o", "all.cover", "--", "./prog")
    run("cover", "--ignore", "assert", "-o", "ignore.cover", "--", "./prog")
    in_assert = PROGRAMS.read_text(encoding="utf-8").splitlines().index("      assert(shared.load() >= 0);") + 1

    def count(file):
        data = report("--covered", "--uncovered", file)
        return sum(in_assert in (pair["first"].get("line"), pair["second"].get("line"))
                   for pair in data["covered"] + data["uncovered"])

    check(count("all.cover") > 0, "the assertion is not seen")
    check(count("ignore.cover") == 0, "the assertion is not ignored")
    _, err = run("cover", "diff", "all.cover", "ignore.cover")
    check("'ignore.cover' with --context 0 --ignore assert: what only one of them ignores" in err, err)
    run("cover", "--context", "1", "-o", "context.cover", "--", "./prog")
    out, err = run("cover", "diff", "all.cover", "context.cover", code=2)
    check(not out and "'context.cover' with --context 1: they have no locations in common" in err, out + err)
    _, err = run("cover", "--ignore", "no_such_function", "-o", "x.cover", "--", "./prog", code=2)
    check("no_such_function fits no instrumented code" in err, err)


def test_control_and_prune():
    run("cover", "--control", "--seed", "1", "--runs", "200", "-o", "inbox.cover", "--", "./inbox")
    data = report("--uncovered", "inbox.cover")
    check(data["measurements"][0]["controlled"] and data["measurements"][0]["runs"] == 200, data["measurements"])
    check(data["uncovered"], "some pairs cannot be covered")
    pair = data["uncovered"][0]["text"]
    before = data["totals"]["lp"]
    run("cover", "prune", "-i", "inbox.cover", "--add", pair, "both are in one critical section")
    after = report("inbox.cover")["totals"]["lp"]
    check(after["target"] < before["target"] and after["pruned"] > 0, f"{before} {after}")
    text, _ = run("cover", "prune", "-i", "inbox.cover")
    check("both are in one critical section" in text and "!!" not in text, text)
    run("cover", "prune", "-i", "inbox.cover", "--remove", pair)
    check(report("inbox.cover")["totals"]["lp"] == before, "the pair is still pruned")
    covered = report("--covered", "inbox.cover")["covered"][0]["text"]
    _, err = run("cover", "prune", "-i", "inbox.cover", "--add", covered, "no", code=2)
    check("it can be covered" in err, err)
    os.remove("snag.prune")


def test_proposals():
    def proposed():
        return [line for line in run("cover", "prune", "--propose", "-i", "inbox.cover")[0].splitlines()
                if line.startswith("lp: ")]

    run("cover", "why", "--seed", "1", "-i", "inbox.cover", "--", "./inbox")
    first = proposed()
    check(first and len(set(first)) == len(first), first)
    run("cover", "why", "--seed", "2", "--runs", "30", "-i", "inbox.cover", "--", "./inbox")
    second = proposed()
    check(len(set(second)) == len(second) and set(second) <= set(first), f"{first} {second}")
    for pair in second:
        run("cover", "prune", "-i", "inbox.cover", "--add", pair, "as was proposed")  # refused if it was covered
    check(not proposed(), "what is pruned is proposed again")
    os.remove("snag.prune")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        compile_programs()
        tests = [function for name, function in globals().items() if name.startswith("test_")]
        for test in tests:
            print(test.__name__, flush=True)
            test()
        print(f"{checks} checks")
        os.chdir("/")


if __name__ == "__main__":
    main()
