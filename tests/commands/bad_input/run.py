"""Programs and command lines that make no sense: each gets one clear sentence and the documented exit code."""

import pathlib
import re
import resource

from snagtest import case, each, expect, prepare, run

SOURCE = pathlib.Path(__file__).resolve().parent / "odd.cc"


@prepare
def make_files(test):
    run("g++", "-std=c++20", SOURCE, "-DEXITS", "-o", "plain")
    for variant in ("EXITS", "FORKS", "EXECS", "CRASHES_EARLY", "CLONES", "SCRIBBLES",
                    "SCRIBBLES_AND_ABORTS", "SCRIBBLES_BESIDE", "THREADS"):
        test.compile(SOURCE, variant.lower(), f"-D{variant}", opt="-O0")
    test.compile(SOURCE, "liberly.so", "-DLIBRARY", "-shared", "-fPIC", opt="-O0")
    test.compile(SOURCE, "early", "-DEXITS", "-Wl,--no-as-needed", "-L.", "-lerly", f"-Wl,-rpath,{test.folder}", opt="-O0")
    pathlib.Path("folder").mkdir()
    for name, text in {"script": "#!/bin/sh\n", "text": "text", "empty": "", "future.snag": '{"snag":"trace","version":99}',
                       "future.cover": "snag-cover 99\n", "cut.cover": "snag-cover 1\n12345678 b 0",
                       "bad.prune": "nonsense\n"}.items():
        pathlib.Path(name).write_text(text)
    pathlib.Path("script").chmod(0o755)


PAIR = "lp: read at a.cc:1 in f() then write at a.cc:2 in g()"
# Case: exit code, a pattern for the output, the arguments of snag; SHARED is the folder of make_files().
CASES = {
    "program.not_instrumented": (3, "was not built with Snag", "run", "--", "SHARED/plain"),
    "program.missing": (3, "there is no program", "run", "--", "./nowhere"),
    "program.script": (3, "script", "run", "--", "SHARED/script"),
    "program.text": (3, "executable|permission|not an ELF", "run", "--", "SHARED/text"),
    "program.folder": (3, "folder|directory", "run", "--", "SHARED/folder"),
    "program.exits": (0, "no failure in 20 schedules", "run", "--runs", "20", "--", "SHARED/exits"),
    "program.forks": (0, "child process", "run", "--runs", "20", "--", "SHARED/forks"),
    "program.execs": (0, "exec", "run", "--runs", "20", "--", "SHARED/execs"),
    "program.crashes_early": (1, "invalid memory access", "run", "--runs", "20", "--", "SHARED/crashes_early"),
    "program.clones": (3, "use pthread_create", "run", "--runs", "20", "--", "SHARED/clones"),
    "program.library_crashes": (3, "before", "run", "--runs", "20", "--", "SHARED/early"),

    "run.no_program": (2, "program", "run"),
    "run.no_runs": (2, "runs", "run", "--runs", "0", "--", "SHARED/exits"),
    "run.negative_runs": (2, "runs", "run", "--runs", "-5", "--", "SHARED/exits"),
    "run.strategy": (2, "strategy", "run", "--strategy", "best", "--", "SHARED/exits"),
    "run.depth": (2, "depth", "run", "--strategy", "pct", "--depth", "1000", "--", "SHARED/exits"),
    "run.preemptions": (2, "preemptions", "run", "--preemptions", "2", "--", "SHARED/exits"),
    "run.backend": (2, "backend", "run", "--backend", "green", "--", "SHARED/exits"),
    "run.parallel_dfs": (2, "dfs", "run", "--strategy", "dfs", "-j", "2", "--", "SHARED/exits"),
    "run.processors": (2, "processors", "run", "--processors", "2000", "--", "SHARED/exits"),
    "run.allocator": (2, "must be two functions as in my_alloc/my_free", "run", "--allocator", "my_alloc", "--",
                      "SHARED/exits"),
    "run.allocator_missing": (3, "neither the program nor a library .* has a function 'my_free'", "run", "--allocator",
                              "malloc/my_free", "--", "SHARED/exits"),
    "run.option_twice": (2, "more than once", "run", "--runs", "1", "--runs", "2", "--", "SHARED/exits"),
    "unknown_command": (2, "frobnicate", "frobnicate"),
    "compile.sanitizer": (2, "address", "c++", "-fsanitize=address", SOURCE),
    "compile.static": (2, "static", "c++", "-static", SOURCE),

    "trace.missing": (2, "no such|not exist|cannot", "replay", "nowhere.snag"),
    "trace.text": (2, "trace|JSON", "replay", "SHARED/text"),
    "trace.version": (2, "version", "replay", "SHARED/future.snag"),
    "trace.empty": (2, "empty|trace|JSON", "replay", "SHARED/empty"),

    "cover.no_program": (2, "no program was given", "cover"),
    "cover.not_instrumented": (3, "was not built with Snag", "cover", "--", "SHARED/plain"),
    "cover.metric": (2, "takes all, or some of lp", "cover", "--metric", "all,lp", "--", "SHARED/exits"),
    "cover.context": (2, "context", "cover", "--context", "5", "--", "SHARED/exits"),
    "cover.strategy": (2, "add --control", "cover", "--strategy", "pct", "--", "SHARED/exits"),
    "cover.preemptions": (2, "add --strategy dfs", "cover", "--control", "--preemptions", "2", "--", "SHARED/exits"),
    "cover.ignore": (2, "fits no instrumented code", "cover", "--ignore", "nowhere.cc", "--", "SHARED/exits"),
    "cover.unwritable": (2, "cannot write", "cover", "-o", "nowhere/x.cover", "--", "SHARED/exits"),
    "cover.missing_file": (2, "there is no coverage file", "cover", "report"),
    "cover.missing_named_file": (2, "there is no coverage file", "cover", "curve", "nowhere.cover"),
    "cover.text": (2, "is not a coverage file", "cover", "report", "SHARED/text"),
    "cover.into_text": (2, "is not a coverage file", "cover", "-o", "SHARED/text", "--", "SHARED/exits"),
    "cover.empty": (2, "is empty", "cover", "report", "SHARED/empty"),
    "cover.folder": (2, "not a regular file", "cover", "report", "SHARED/folder"),
    "cover.version": (2, "another version of Snag", "cover", "report", "SHARED/future.cover"),
    "cover.cut": (2, "was cut before anything", "cover", "report", "SHARED/cut.cover"),
    "cover.merge_without_output": (2, "with -o", "cover", "merge", "SHARED/future.cover"),
    "cover.diff_of_one": (2, "two data files", "cover", "diff", "SHARED/future.cover"),
    "cover.fail_under": (2, "percentage", "cover", "report", "--fail-under", "many"),
    "cover.curve_axis": (2, "must be \"time\", \"calls\" or \"runs\", not 'moon'", "cover", "curve", "--by", "moon"),
    "prune.no_reason": (2, "reason", "cover", "prune", "--add", PAIR),
    "prune.half_a_pair": (2, "no ' then '", "cover", "prune", "--add", "lp: read at a.cc:1 in f()", "because"),
    "prune.unknown_pair": (2, "no such pair", "cover", "prune", "--remove", PAIR),
    "prune.bad_file": (2, "bad.prune:1: ", "cover", "prune", "--prune", "SHARED/bad.prune"),
}


@each(CASES)
def check(test, row):
    code, pattern, *arguments = row
    test.snag(*[str(word).replace("SHARED", str(test.shared)) for word in arguments], code=code, matches=pattern, timeout=60)


@case
def program_scribbles(test):
    """A program that overwrites the memory that Snag shares with it, and ends well."""
    for options in ([], ["--backend", "futex"], ["--keep-going", "-j", "2"]):
        done = test.snag("run", "--quiet", "--runs", "20", *options, "--", test.shared / "scribbles", code=3,
                         says="the program overwrote Snag's shared memory", timeout=60)
        expect(not re.search(r"\d{1,3}(,\d{3}){3}|\d{10}", re.sub("seed [0-9]+", "", done.text)), "it says nonsense", done)


@case
def program_scribbles_and_aborts(test):
    """Its own failure is told all the same."""
    for options in ([], ["--backend", "futex"]):
        done = test.snag("run", "--quiet", "--runs", "20", "--seed", "7", *options, "--",
                         test.shared / "scribbles_and_aborts", code=1,
                         says="abort was called; the program also overwrote Snag's shared memory", timeout=60)
        expect(not re.search(r"\d{1,3}(,\d{3}){3}", done.text), "it says nonsense", done)


@case
def program_runs_over_the_end(test):
    """What lies beside that memory cannot be accessed."""
    test.snag("run", "--quiet", "--runs", "20", "--", test.shared / "scribbles_beside", code=1,
              says="invalid memory access", silent_about="overwrote", timeout=60)


@case
def cover_of_a_program_that_scribbles(test):
    """`snag cover` ends, and says it."""
    for options in ([], ["--control"]):
        for program in ("scribbles", "scribbles_and_aborts"):
            test.snag("cover", "--quiet", "--runs", "3", "-o", f"{program}.cover", *options, "--", test.shared / program,
                      code=3, says="the program overwrote Snag's shared memory", timeout=60)


@case
def memory_is_short(test):
    """Snag's own shortage of memory is no failure of the program."""
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (1_000_000 * 1024, limits[1]))
    try:
        test.snag("run", "--quiet", "--runs", "20", "--", test.shared / "threads", code=3,
                  says="not enough memory for Snag's own tables", silent_about="exit with status", timeout=60)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


@case
def nothing_to_interleave(test):
    """One thread, or runs that are all the same, are not a plain success."""
    done = test.json("run", "--quiet", "--format", "json", "--runs", "20", "--", test.shared / "exits")
    expect([warning["kind"] for warning in done["warnings"]] == ["one-thread"], "no warning of one thread", done)
    test.snag("run", "--quiet", "--runs", "20", "--", test.shared / "exits", says="warning: only one thread was seen")
    test.snag("run", "--quiet", "--runs", "20", "--strategy", "dfs", "--", test.shared / "threads", silent_about="warning")


@case
def cut_short(test):
    """Runs that take too many steps are counted; they are neither failures nor a success."""
    few = ("run", "--quiet", "--runs", "20", "--max-steps", "2")
    done = test.json(*few, "--format", "json", "--", test.shared / "threads")
    expect(done["cut_runs"] == done["runs"] == 20 and done["failures"] == [], "not all runs are counted as cut", done)
    test.snag(*few, "--", test.shared / "threads", says="nothing was judged", silent_about="livelock")
