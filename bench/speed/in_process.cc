// One measurement under snag::explore: prints ns for each operation.
//
//   in_process point|add|lone-yield     one thread, which nobody can take turns with
//   in_process kept                     a point where another thread could go on, but is not chosen
//   in_process yield|store THREADS      threads that take turns: at every step, at most steps
//   in_process thread                   std::thread create and join
//   in_process runs STRATEGY THREADS    runs of THREADS threads that count together; 1 of them is
//                                       the body's own if THREADS is followed by "with-main"
//   in_process accesses TYPE HOW WHEN   see accesses.h
//   in_process containers               two threads that fill and empty containers of their own
//
// The engine alone, unless the last argument is "checked": then with all that looks for races, heap
// errors and misuse of locks.
#include <snag/explore.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "accesses.h"
#include "containers.h"
#include "timing.h"
#include "workloads.h"

namespace {

// Ticks that each run spent in what it measures. Runs happen in a child process, so this is shared
// memory.
struct Inside {
  static constexpr std::size_t kMax = 4096;
  std::size_t count;
  std::uint64_t ticks[kMax];
};
Inside* inside;

void note_ticks(std::uint64_t start) {
  if (inside->count < Inside::kMax) inside->ticks[inside->count++] = speed::ticks() - start;
}

// Of the run at the lower quartile: those that lost the processor for a while do not count.
double inside_ns(const speed::Stretch& stretch) {
  if (inside->count == 0) return 0;
  std::uint64_t* quartile = inside->ticks + inside->count / 4;
  std::nth_element(inside->ticks, quartile, inside->ticks + inside->count);
  return static_cast<double>(*quartile) * stretch.time / static_cast<double>(stretch.counted);
}

bool checked = false;

snag::ExploreOptions options(const char* strategy, std::uint64_t runs) {
  snag::ExploreOptions result;
  result.runs = runs;
  result.strategy = strategy;
  result.max_steps = 1'000'000;
  result.races = result.heap_checks = result.lock_misuse = checked;
  return result;
}

// Explores, and prints the time for each of `operations` in each run.
template <class Body>
void measure(const snag::ExploreOptions& how, double operations, Body body) {
  speed::Stretch stretch;
  const snag::ExploreResult result = snag::explore(how, body);
  stretch.stop();
  if (!result || result.runs != how.runs) {
    std::fprintf(stderr, "in_process: %s\n", result.report().c_str());
    std::exit(1);
  }
  speed::print(stretch, operations * static_cast<double>(result.runs),
               inside_ns(stretch) / operations);
}

// Runs work() in a thread of its own, while the body's waits for it, and counts its ticks.
template <class Work>
void alone(Work work) {
  std::thread([&] {
    const std::uint64_t start = speed::ticks();
    work();
    note_ticks(start);
  }).join();
}

// The same with several threads, from when all of them are there to the last one's end.
template <class Work>
void together(int threads, Work work) {
  std::mutex gate;
  std::vector<std::thread> all;
  all.reserve(static_cast<std::size_t>(threads));
  gate.lock();
  for (int i = 0; i < threads; ++i) {
    all.emplace_back([&] {
      { std::lock_guard pass(gate); }
      work();
    });
  }
  const std::uint64_t start = speed::ticks();
  gate.unlock();
  for (std::thread& thread : all) thread.join();
  note_ticks(start);
}

constexpr int kOperations = 5000;  // in a run; few enough that no strategy has to step in

}  // namespace

int main(int argc, char** argv) {
  inside = static_cast<Inside*>(
      mmap(nullptr, sizeof(Inside), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  checked = argc > 2 && std::strcmp(argv[argc - 1], "checked") == 0;
  if (checked) --argc;
  const std::string what = argc > 1 ? argv[1] : "";
  std::atomic<int> cell{0};

  if (what == "point") {
    measure(options("random", 1500), kOperations,
            [&] { alone([&] { speed::stores(cell, kOperations); }); });
  } else if (what == "add") {
    measure(options("random", 1500), kOperations,
            [&] { alone([&] { speed::increments(cell, kOperations); }); });
  } else if (what == "lone-yield") {
    measure(options("random", 1500), kOperations,
            [] { alone([] { speed::yields(kOperations); }); });
  } else if (what == "kept") {
    // With one priority a thread and no changes of it, the first thread that is chosen stays.
    snag::ExploreOptions how = options("pct", 1000);
    how.pct_depth = 1;
    measure(how, 2 * kOperations, [&] { together(2, [&] { speed::stores(cell, kOperations); }); });
  } else if ((what == "yield" || what == "store") && argc > 2) {
    const int threads = std::atoi(argv[2]);
    const int each = 16'000 / threads;
    if (what == "yield") {
      measure(options("random", 500), threads * each,
              [&] { together(threads, [=] { speed::yields(each); }); });
    } else {
      measure(options("random", 500), threads * each,
              [&] { together(threads, [&] { speed::stores(cell, each); }); });
    }
  } else if (what == "thread") {
    measure(options("random", 300), 400, [] {
      const std::uint64_t start = speed::ticks();
      speed::create_and_join(400);
      note_ticks(start);
    });
  } else if (what == "runs" && argc > 3) {
    const int threads = std::atoi(argv[3]);
    const bool with_main = argc > 4 && std::strcmp(argv[4], "with-main") == 0;
    measure(options(argv[2], static_cast<std::uint64_t>(200'000 / threads)), 1, [=] {
      speed::Counters counters;
      if (with_main) {
        std::thread other([&] { counters.count(); });
        counters.count();
        other.join();
      } else {
        speed::in_threads(threads, [&] { counters.count(); });
      }
    });
  } else if (what == "accesses" && argc > 4) {
    speed::Accesses accesses(argv[2], argv[3], argv[4]);
    measure(options("random", 500), speed::Accesses::kCount, [&] {
      accesses.with_another_thread([&] {
        const std::uint64_t start = speed::ticks();
        accesses.run();
        note_ticks(start);
      });
    });
  } else if (what == "containers") {
    // (Memory that one thread after the other gets is taken for shared, and much of it, but only
    // without the checks: there must be no schedule points at plain accesses to compare the two.)
    snag::ExploreOptions how = options("random", 1000);
    how.points = "sync";
    measure(how, 1, [] { speed::in_threads(2, [] { speed::use_containers(); }); });
  } else {
    std::fprintf(stderr, "in_process: which measurement? See the head of in_process.cc\n");
    return 2;
  }
}
