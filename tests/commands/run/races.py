"""Races on one variable are one failure: in the text, in the JSON report, and with --keep-going."""

import pathlib
import re

from snagtest import case, expect, prepare

SOURCE = """#include <pthread.h>
struct Stats { int hits; int misses; };
int counter;
Stats* stats = new Stats();
void* First(void*) {
  counter += 1;
  stats->hits += 1;
  return nullptr;
}
void* Second(void*) {
  counter = 2;
  stats->hits = 3;
  stats->misses = 4;
  return nullptr;
}
void* Third(void*) {
  if (counter > 5) counter = 6;
  stats->misses += 1;
  return nullptr;
}
int main() {
  pthread_t threads[3];
  void* (*functions[])(void*) = {First, Second, Third};
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], nullptr, functions[i], nullptr);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], nullptr);
}
"""
VARIABLES = {"counter", "Stats::hits", "Stats::misses"}


@prepare
def compile_program(test):
    pathlib.Path("stats.cc").write_text(SOURCE, encoding="utf-8")
    test.compile("stats.cc", "stats")


def search(test, *options, **expectations):
    return test.snag("run", "--quiet", "--seed", "1", "--runs", "400", "--shrink-time", "1", *options, "--",
                     test.shared / "stats", code=1, **expectations)


@case
def text(test):
    found = search(test).out
    shown = re.findall(r"^  data race on (\S+):", found, re.MULTILINE)
    expect(sorted(shown) == sorted(VARIABLES), f"shown in full: {shown}", found)
    expect("3 different failures in 400 schedules" in found, "the failures are counted in another way", found)
    counted = re.findall(r"^the same variable races at (\d+) other pairs? of places:\n((?:  .*\n)+)", found, re.MULTILINE)
    expect(counted, "no other places", found)
    for count, lines in counted:
        traces = re.findall(r" by T\d at stats\.cc:\d+ in \w+ and .* by T\d at stats\.cc:\d+ in \w+: (\S+)$", lines,
                            re.MULTILINE)
        expect(len(traces) == int(count), f"{count} places are counted, and {len(traces)} shown", found)
        for trace in traces:
            test.snag("replay", trace, code=1, says="1 of 1 identical")


def check_json(test, *options):
    report = search(test, "--json", *options).json()
    names = [failure["race"]["variable"] for failure in report["failures"]]
    expect(sorted(names) == sorted(VARIABLES), f"failures: {names}", report)
    pairs = 0
    for failure in report["failures"]:
        name = failure["race"]["variable"]
        expect(f"data race on {name}:" in failure["message"], "the message does not name the variable", failure)
        for places in failure.get("other_places", []):
            pairs += 1
            expect(places["variable"] == name, "another variable is in the group", failure)
            expect(places["confirmed"] and pathlib.Path(places["trace"]).exists(), "a pair is not confirmed", failure)
            for side in (places["first"], places["second"]):
                place = side["stack"][0]
                expect(place["file"] == "stats.cc" and place["line"] > 5 and side["access"] in ("read", "write"),
                       "a side has no place", failure)
    expect(pairs >= 2, f"only {pairs} other pairs of places", report)


@case
def json(test):
    check_json(test)


@case
def keep_going(test):
    check_json(test, "--keep-going")


# Both variables are used in the same line.
ONE_LINE = """#include <pthread.h>
struct Pair { long a = 0, b = 0; void Step() { ++a; ++b; } };
Pair* pair;
void* Run(void*) { pair->Step(); return nullptr; }
void* Steps(void* at) { static_cast<Pair*>(at)->Step(); return nullptr; }
int main(int argc, char**) {
  Pair local;
  pair = new Pair;
  pthread_t threads[2];
  for (auto& t : threads) pthread_create(&t, nullptr, argc > 1 ? Steps : Run, &local);
  for (auto& t : threads) pthread_join(t, nullptr);
  delete pair;
}
"""


@prepare
def compile_one_line(test):
    pathlib.Path("pair.cc").write_text(ONE_LINE, encoding="utf-8")
    test.compile("pair.cc", "pair")


@case
def one_line(test):
    for memory, arguments in (("heap", ()), ("stack", ("local",))):
        report = test.snag("run", "--quiet", "--seed", "1", "--runs", "100", "--shrink-time", "0", "--json", "--",
                           test.shared / "pair", *arguments, code=1).json()
        failures = report["failures"]
        names = sorted(failure["race"]["variable"].split(",")[0] for failure in failures)
        expect(names == ["Pair::a", "Pair::b"], f"races on the {memory}: {names}", report)
        for failure in failures:
            expect(failure["confirmed"] and not failure.get("other_places"), "a race is doubtful", failure)


# g++ reads the addresses of `total` and `numbers` from a block that the source does not show.
OPENMP = """#include <vector>
double sum(const std::vector<double>& numbers) {
  double total = 0;
#pragma omp parallel for num_threads(2)
  for (unsigned i = 0; i < numbers.size(); ++i)
    total += numbers[i] * numbers[i];
  return total;
}
int main() { return sum(std::vector<double>(8, 0.0)) != 0; }
"""


@case
def openmp(test):
    pathlib.Path("sum.cc").write_text(OPENMP, encoding="utf-8")
    for opt in ("-O0", "-O1", "-O2"):
        test.compile("sum.cc", "sum", "-fopenmp", compiler="g++", opt=opt)
        report = test.snag("run", "--quiet", "--seed", "1", "--runs", "100", "--shrink-time", "0", "--json", "--",
                           "./sum", code=1).json()
        for failure in report["failures"]:
            name = failure["race"]["variable"]
            expect("on the stack of T0" in name, f"{opt}: {name}", report)
            expect("numbers" not in name, f"{opt}: a wrong name, {name}", report)


# A library's pool: blocks that it has handed out before, in parts of a larger one, and in mapped memory.
POOL = """#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
struct Job { long id, state; };
extern "C" __attribute__((noinline)) void* chunk(int kind) {
  asm volatile("");
  if (kind == 2) return mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return malloc(kind == 1 ? 4096 : 64);
}
char* pool;
int place, taken;
extern "C" __attribute__((noinline, no_sanitize("thread"))) void* take(size_t size) {
  asm volatile("" ::"r"(size));
  ++taken;
  return pool + place;
}
extern "C" __attribute__((noinline, no_sanitize("thread"))) void give(void* block) {
  asm volatile("" ::"r"(block) : "memory");
  --taken;
}
void* Early(void*) {
  pool = static_cast<char*>(chunk(place));
  if (place != 0) place = 16;
  give(take(sizeof(Job)));
  return nullptr;
}
void* Write(void* at) {
  Job* job = static_cast<Job*>(at);
  job->state = 1;
  return nullptr;
}
int main(int argc, char**) {
  place = argc - 1;
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, Early, nullptr);
  pthread_join(threads[0], nullptr);
  void* job = take(sizeof(Job));  // here
  for (auto& t : threads) pthread_create(&t, nullptr, Write, job);
  for (auto& t : threads) pthread_join(t, nullptr);
}
"""


@case
def named_allocator(test):
    pathlib.Path("pool.cc").write_text(POOL, encoding="utf-8")
    here = 1 + POOL[:POOL.index("// here")].count("\n")
    test.compile("pool.cc", "pool")
    for arguments in ((), ("part",), ("mapped", "memory")):
        report = test.snag("run", "--quiet", "--seed", "1", "--runs", "100", "--shrink-time", "0", "--json",
                           "--allocator", "take/give", "--", "./pool", *arguments, code=1).json()
        expect(len(report["failures"]) == 1, "other failures", report)
        race = report["failures"][0]["race"]
        expect(race["variable"] == "Job::state", f"{arguments}: {race['variable']}", report)
        memory = race["memory"]
        expect(memory["size"] == 16 and memory["alloc_stack"][0]["line"] == here,
               f"{arguments}: another block", report)


@case
def block_after_a_named_one(test):
    # The pool's chunk is freed, and its memory is another's: no block of the pool any more.
    source = POOL.replace("  void* job = take(sizeof(Job));  // here",
                          "  free(pool);\n  void* job = chunk(0);  // here")
    pathlib.Path("pool.cc").write_text(source, encoding="utf-8")
    chunk_line = 1 + source[:source.index("return malloc")].count("\n")
    test.compile("pool.cc", "pool")
    report = test.snag("run", "--quiet", "--seed", "1", "--runs", "100", "--shrink-time", "0", "--json",
                       "--allocator", "take/give", "--", "./pool", code=1).json()
    memory = report["failures"][0]["race"]["memory"]
    expect(memory["size"] == 64 and memory["alloc_stack"][0]["line"] == chunk_line, "another block", report)
