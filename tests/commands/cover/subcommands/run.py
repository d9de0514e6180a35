"""The commands of `snag cover` on real programs."""

import os
import pathlib
import signal

from snagtest import ROOT, case, expect, prepare, run

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs.cc"


@prepare
def compile_programs(test):
    test.compile(PROGRAMS, "prog")
    test.compile(ROOT / "examples" / "inbox.cc", "inbox")
    test.compile(PROGRAMS, "other", "-DOTHER", "-DNDEBUG")


def measure(test, file, *arguments, options=(), **expectations):
    """Measures the program into a data file."""
    return test.snag("cover", *options, "-o", file, "--", test.shared / "prog", *arguments, **expectations)


def report(test, *arguments):
    return test.json("cover", "report", "--json", *arguments)


def lines_of(path):
    return pathlib.Path(path).read_text(encoding="utf-8")


@case
def free_run(test):
    done = test.snag("cover", "--", test.shared / "prog", "copy", stdin="what goes in\n", says="location pairs covered")
    expect(done.out == "what goes in\n", "the program's streams are not its own", done)
    data = report(test, "--uncovered", "--covered")
    pairs = data["totals"]["lp"]
    expect(0 < pairs["covered"] <= pairs["target"], "wrong totals", pairs)
    expect(data["all_code_known"], "the code is not known")
    texts = [pair["text"] for pair in data["covered"]]
    expect(any("on turns" in text and " then " in text for text in texts), "no pair on turns", texts)
    expect(any(pair.get("variable") == "shared" for pair in data["covered"]), "no pair on shared", texts)
    lines, functions = data["totals"]["lines"], data["totals"]["functions"]
    expect(0 < lines["covered"] < lines["target"], "wrong lines", lines)
    expect(functions["covered"] < functions["target"], "a function that was never called is covered", functions)
    test.snag("cover", "--runs", "3", "--", test.shared / "prog")
    expect(sum(m["runs"] for m in report(test)["measurements"]) == 4, "runs are not added up")


@case
def reports(test):
    test.snag("cover", "--", test.shared / "prog", "copy", stdin="in\n")
    test.snag("cover", "report", "--uncovered", "--lcov", "out.info", "--annotate", says=["coverage of prog", "programs.cc"])
    info = lines_of("out.info")
    expect(f"SF:{PROGRAMS}" in info and "FNDA:0,NeverCalled" in info and "BRDA:" in info, "wrong lcov file", info)
    run("genhtml", "--branch-coverage", "-o", "pages", "out.info", matches=r"branches\.*: \d+\.\d% \(\d+ of \d+")
    test.snag("cover", "report", "--fail-under", "1")
    test.snag("cover", "report", "--fail-under", "100", "--metric", "lines", code=1, says="less than 100 %")


@case
def curves(test):
    measure(test, "snag.cover")
    csv = test.snag("cover", "curve", "--by", "runs", "--svg", "curve.svg", "--csv", "-").out
    expect(csv.startswith("runs,lp,lines\n0,0,0\n"), "wrong table", csv)
    expect("<polyline" in lines_of("curve.svg"), "the picture has no curve")


@case
def failures(test):
    measure(test, "crash.cover", "crash", code=1, says="was killed by SIGSEGV")
    expect(report(test, "crash.cover")["totals"]["lp"]["covered"] > 0, "a crash loses what was covered")
    measure(test, "crash.cover", "fail", code=1, says="exited with status 7")
    expect(sum(m["failed_runs"] for m in report(test, "crash.cover")["measurements"]) == 2, "failures are not counted")


def start_measuring(test, file):
    """A measurement of a program that waits until it is interrupted."""
    process = test.start(test.snag_path, "cover", "-o", file, "--", test.shared / "prog", "wait")
    expect(process.stdout.readline() == "ready\n", "the program does not run")
    return process


@case
def interrupt(test):
    process = start_measuring(test, "interrupted.cover")
    process.send_signal(signal.SIGINT)
    done = test.finish(process)
    expect(done.code == 128 + signal.SIGINT and "interrupted" in done.err, "wrong end", done)
    expect(report(test, "interrupted.cover")["totals"]["lp"]["covered"] > 0, "an interrupt loses what was covered")


@case
def killed_tool(test):
    process = start_measuring(test, "killed.cover")
    while " p 0 " not in lines_of("killed.cover"):  # if nothing is written, the time limit of the test ends this
        os.sched_yield()
    process.kill()
    test.finish(process)
    data = report(test, "killed.cover")
    expect(data["totals"]["lp"]["covered"] > 0 and not data["all_code_known"], "wrong totals", data["totals"])
    test.snag("cover", "report", "--fail-under", "0", "killed.cover", code=1, says="the data is not complete")
    measure(test, "killed.cover")
    expect(report(test, "killed.cover")["all_code_known"], "the code is not known afterwards")
    test.snag("cover", "report", "--fail-under", "0", "killed.cover")


@case
def cut_file(test):
    measure(test, "whole.cover")
    whole = report(test, "whole.cover")["totals"]["lines"]["target"]
    records = lines_of("whole.cover").splitlines(keepends=True)
    locations = [i for i, record in enumerate(records) if record[9:11] == "l "]
    pathlib.Path("cut.cover").write_text("".join(records[:locations[len(locations) // 2]]), encoding="utf-8")
    expect(report(test, "cut.cover")["totals"]["lines"]["target"] < whole, "nothing was cut off")
    fail_under = ("cover", "report", "--fail-under", "0", "--metric", "lines")
    test.snag(*fail_under, "cut.cover", code=1, says="the data is not complete")
    test.snag("cover", "merge", "cut.cover", "whole.cover", "-o", "merged.cover")
    test.snag(*fail_under, "merged.cover", code=1)
    measure(test, "cut.cover")
    expect(report(test, "cut.cover")["totals"]["lines"]["target"] == whole, "the lines are not complete again")
    test.snag(*fail_under, "cut.cover")


@case
def busy_file(test):
    process = start_measuring(test, "busy.cover")
    measure(test, "idle.cover")
    test.snag("cover", "merge", "idle.cover", "-o", "busy.cover", code=2,
              says="another measurement is writing to 'busy.cover'")
    process.send_signal(signal.SIGINT)
    test.finish(process)


@case
def outputs_keep_links_and_modes(test):
    measure(test, "out.cover")
    pathlib.Path("target.info").touch(mode=0o640)
    os.chmod("target.info", 0o640)
    os.symlink("target.info", "link.info")
    test.snag("cover", "report", "--lcov", "link.info", "out.cover")
    expect(os.path.islink("link.info"), "the link was replaced")
    expect(os.stat("target.info").st_mode & 0o777 == 0o640, "the mode has changed")
    expect("end_of_record" in lines_of("target.info"), "the target of the link is not written")
    os.symlink("later.csv", "link.csv")
    test.snag("cover", "curve", "--csv", "link.csv", "out.cover")
    expect(os.path.islink("link.csv") and os.path.isfile("later.csv"), "the target of a dangling link is not made")
    os.symlink("linked_to.cover", "linked.cover")
    for _ in range(2):
        measure(test, "linked.cover")
    expect(os.path.islink("linked.cover"), "the data file's link was replaced")
    expect(sum(m["runs"] for m in report(test, "linked_to.cover")["measurements"]) == 2, "not measured into one file")


@case
def output_to_fifo(test):
    measure(test, "out.cover")
    os.mkfifo("fifo")
    reader = test.start("cat", "fifo")
    test.snag("cover", "report", "--lcov", "fifo", "out.cover")
    expect("end_of_record" in test.finish(reader).out, "nothing came out of the FIFO")
    expect(pathlib.Path("fifo").is_fifo(), "the FIFO was replaced")


def measure_locals(test):
    measure(test, "locals.cover", "locals", options=("--control", "--runs", "20", "--seed", "1"))


@case
def local_variables(test):
    measure_locals(test)
    data = report(test, "--covered", "--uncovered", "locals.cover")
    texts = [pair["text"] for pair in data["covered"] + data["uncovered"]]
    expect(any(text.count("Apples") > 1 for text in texts), "no pair in Apples", texts)
    both = [text for text in texts if "Apples" in text and "Pears" in text]
    expect(not both, "pairs of variables that never exist at the same time", both)


@case
def names(test):
    measure(test, "names.cover", "names", options=("--runs", "3"))
    pairs = [pair for pair in report(test, "--covered", "names.cover")["covered"]
             if "Configure" in pair["text"] and "AddUp" in pair["text"]]
    expect({pair.get("variable") for pair in pairs} == {"config", "cells[]"}, "wrong names", [p["text"] for p in pairs])


@case
def overloads(test):
    measure_locals(test)
    test.snag("cover", "report", "--lcov", "overloads.info", "locals.cover")
    info = lines_of("overloads.info")
    counts = sorted(line.split(",")[0] for line in info.splitlines()
                    if line.startswith("FNDA:") and "Overloaded" in line)
    expect(counts == ["FNDA:0", "FNDA:1"], "wrong counts of the overloads", info)


@case
def metrics_not_measured(test):
    measure(test, "out.cover")
    done = test.snag("cover", "report", "--metric", "du", "out.cover", code=2, says="du was not measured")
    expect(done.err.count("\n") == 1, "more than one line", done)
    measure(test, "du.cover", options=("--metric", "lp,du"))
    test.snag("cover", "diff", "out.cover", "du.cover", says="only one of the files has du", silent_about="definition-use")


@case
def file_limit(test):
    measure(test, "out.cover")
    run("sh", "-c", f"ulimit -f 1; exec '{test.snag_path}' cover merge out.cover -o limit.cover", code=2,
        says="cannot write 'limit.cover'")
    expect(not list(pathlib.Path().glob("limit.cover*")), "half a file is left")


@case
def time_limit(test):
    measure(test, "time.cover", "wait", options=("--time", "0.2"), says="1 run")


@case
def other_build(test):
    prog, other = test.shared / "prog", test.shared / "other"
    test.snag("cover", "--", prog)
    test.snag("cover", "--", other, code=2, says="'snag.cover' is of another build of the program")
    test.snag("cover", "-o", "other.cover", "--", other)
    test.snag("cover", "merge", "snag.cover", "other.cover", "-o", "x", code=2,
              says="'snag.cover' is of the program prog and 'other.cover' of other")
    test.snag("cover", "diff", "snag.cover", "other.cover", says="different builds")
    test.snag("cover", "--context", "1", "--", prog, code=2, says="--context")


@case
def merge_and_diff(test):
    measure(test, "a.cover")
    measure(test, "b.cover", "never")
    test.snag("cover", "merge", "a.cover", "b.cover", "-o", "ab.cover")
    test.snag("cover", "merge", "b.cover", "a.cover", "a.cover", "-o", "ba.cover")
    expect(pathlib.Path("ab.cover").read_bytes() == pathlib.Path("ba.cover").read_bytes(), "the order matters")
    text = test.snag("cover", "diff", "--metric", "lines", "a.cover", "b.cover").out
    expect(text.startswith("added: ") and "\n  programs.cc: " in text and "lost" not in text, "wrong difference", text)
    data = test.json("cover", "diff", "--json", "--metric", "lines", "a.cover", "b.cover")
    expect(any(line["text"].startswith("programs.cc:") and line["known_to_the_other"] for line in data["added"]["lines"]),
           "wrong difference", data)
    text = test.snag("cover", "diff", "ab.cover", "ba.cover").out
    expect(text == "no difference\n", "the merged files differ", text)


@case
def library_loaded_again(test):
    plugin = test.compile(HERE / "plugin" / "plugin.cc", "plugin.so", "-fPIC", "-shared")
    host = test.compile(HERE / "plugin" / "host.cc", "host")
    for mode in ([], ["--control"]):
        test.snag("cover", *mode, "-o", "host.cover", "--", host, plugin)
        covered = [pair["text"] for pair in report(test, "--covered", "host.cover")["covered"]
                   if "plugin.cc" in pair["text"]]
        expect(len(covered) == 1 and "write at plugin.cc:2" in covered[0].split(" then ")[0], f"wrong pairs {mode}", covered)


@case
def synchronisation(test):
    # Without preemptions no thread arrives while a lock is held.
    inbox = test.shared / "inbox"
    options = ("cover", "--control", "--metric", "sync", "--strategy", "dfs")
    test.snag(*options, "--preemptions", "0", "--runs", "1", "-o", "few.cover", "--", inbox)
    test.snag(*options, "--runs", "200", "-o", "many.cover", "--", inbox)
    test.snag("cover", "diff", "--metric", "sync", "few.cover", "many.cover",
              matches=r"added: \d+ waits at places that take locks\n  lock at .* in .*: block")
    data = test.json("cover", "diff", "--json", "few.cover", "many.cover")
    expect(any(entry["text"].endswith(": blocking") for entry in data["added"]["sync"]), "nothing blocks", data)
    test.snag("cover", "report", "--metric", "sync", "--covered", "--uncovered", "few.cover",
              says=["synchronisation not covered: ", ": never blocked, never blocking\n"])
    data = report(test, "--metric", "sync", "--covered", "--uncovered", "many.cover")
    expect(any(place["blocked"] and place["place"]["action"] == "lock" for place in data["covered"]), "no lock", data)
    missing = sum((not place["blocked"]) + (not place["blocking"]) for place in data["uncovered"])
    total = data["totals"]["sync"]
    expect(missing == total["target"] - total["covered"], "the list and the totals disagree", data)


@case
def ignore(test):
    measure(test, "all.cover")
    measure(test, "ignore.cover", options=("--ignore", "assert"))
    in_assert = PROGRAMS.read_text(encoding="utf-8").splitlines().index("      assert(shared.load() >= 0);") + 1

    def count(file):
        data = report(test, "--covered", "--uncovered", file)
        return sum(in_assert in (pair["first"].get("line"), pair["second"].get("line"))
                   for pair in data["covered"] + data["uncovered"])

    expect(count("all.cover") > 0, "the assertion is not seen")
    expect(count("ignore.cover") == 0, "the assertion is not ignored")
    test.snag("cover", "diff", "all.cover", "ignore.cover",
              says="'ignore.cover' with --context 0 --ignore assert: what only one of them ignores")
    measure(test, "x.cover", options=("--ignore", "no_such_function"), code=2,
            says="no_such_function fits no instrumented code")


@case
def contexts_do_not_mix(test):
    measure(test, "all.cover")
    measure(test, "context.cover", options=("--context", "1"))
    done = test.snag("cover", "diff", "all.cover", "context.cover", code=2,
                     says="'context.cover' with --context 1: they have no locations in common")
    expect(not done.out, "something is compared", done)


def measure_inbox(test):
    test.snag("cover", "--control", "--seed", "1", "--runs", "200", "-o", "inbox.cover", "--", test.shared / "inbox")


@case
def control_and_prune(test):
    measure_inbox(test)
    data = report(test, "--uncovered", "inbox.cover")
    expect(data["measurements"][0]["controlled"] and data["measurements"][0]["runs"] == 200, "wrong measurement",
           data["measurements"])
    expect(data["uncovered"], "some pairs of inbox.cc are impossible, but all are covered")
    pair = data["uncovered"][0]["text"]
    before = data["totals"]["lp"]
    prune = ("cover", "prune", "-i", "inbox.cover")
    test.snag(*prune, "--add", pair, "both are in one critical section")
    after = report(test, "inbox.cover")["totals"]["lp"]
    expect(after["target"] < before["target"] and after["pruned"] > 0, "not pruned", before, after)
    test.snag(*prune, says="both are in one critical section", silent_about="!!")
    test.snag(*prune, "--remove", pair)
    expect(report(test, "inbox.cover")["totals"]["lp"] == before, "the pair is still pruned")
    covered = report(test, "--covered", "inbox.cover")["covered"][0]["text"]
    test.snag(*prune, "--add", covered, "no", code=2, says="it can be covered")


@case
def proposals(test):
    def proposed():
        return [line for line in test.snag("cover", "prune", "--propose", "-i", "inbox.cover").out.splitlines()
                if line.startswith("lp: ")]

    measure_inbox(test)
    inbox = test.shared / "inbox"
    test.snag("cover", "why", "--seed", "1", "-i", "inbox.cover", "--", inbox)
    first = proposed()
    expect(first and len(set(first)) == len(first), "nothing is proposed, or something twice", first)
    test.snag("cover", "why", "--seed", "2", "--runs", "30", "-i", "inbox.cover", "--", inbox)
    second = proposed()
    expect(len(set(second)) == len(second) and set(second) <= set(first), "more runs propose more pairs", first, second)
    for pair in second:
        test.snag("cover", "prune", "-i", "inbox.cover", "--add", pair, "as proposed")  # refused if it was covered
    expect(not proposed(), "what is pruned is proposed again")
