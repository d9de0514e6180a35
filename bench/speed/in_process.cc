// One measurement under snag::explore: prints ns for each operation.
//
//   in_process point|add|lone-yield     one thread, which nobody can take turns with
//   in_process kept                     a point where another thread could go on, but is not chosen
//   in_process yield|store THREADS      threads that take turns: at every step, at most steps
//   in_process thread                   std::thread create and join
//   in_process runs STRATEGY THREADS    runs of THREADS threads that count together; 1 of them is the body's own
//                                       thread if THREADS is followed by "with-main"
#include <snag/explore.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "timing.h"
#include "workloads.h"

namespace {

// Ticks that the runs spent in what they measure. Runs happen in a child process, so this is shared memory.
std::uint64_t* inside_ticks;

snag::ExploreOptions options(const char* strategy, std::uint64_t runs) {
  snag::ExploreOptions result;
  result.runs = runs;
  result.strategy = strategy;
  result.max_steps = 1'000'000;
  return result;
}

// Explores, and prints the time for each of `operations` in each run.
template <class Body>
void measure(const snag::ExploreOptions& how, double operations, Body body) {
  speed::Stretch stretch;
  const snag::ExploreResult result = snag::explore(how, body);
  const double total = stretch.stop();
  if (!result || result.runs != how.runs) {
    std::fprintf(stderr, "in_process: %s\n", result.report().c_str());
    std::exit(1);
  }
  const double count = operations * static_cast<double>(result.runs);
  speed::print(total / count, static_cast<double>(*inside_ticks) * stretch.ns_per_tick() / count);
}

// Runs work() in a thread of its own, while the body's waits for it, and counts its ticks.
template <class Work>
void alone(Work work) {
  std::thread([&] {
    const std::uint64_t start = speed::ticks();
    work();
    *inside_ticks += speed::ticks() - start;
  }).join();
}

// The same with several threads: from the first one's start to the last one's end.
template <class Work>
void together(int threads, Work work) {
  const std::uint64_t start = speed::ticks();
  speed::in_threads(threads, work);
  *inside_ticks += speed::ticks() - start;
}

constexpr int kOperations = 5000;  // in a run; few enough that no strategy has to step in

}  // namespace

int main(int argc, char** argv) {
  inside_ticks = static_cast<std::uint64_t*>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const std::string what = argc > 1 ? argv[1] : "";
  std::atomic<int> cell{0};

  if (what == "point") {
    measure(options("random", 4000), kOperations, [&] { alone([&] { speed::stores(cell, kOperations); }); });
  } else if (what == "add") {
    measure(options("random", 4000), kOperations, [&] { alone([&] { speed::increments(cell, kOperations); }); });
  } else if (what == "lone-yield") {
    measure(options("random", 4000), kOperations, [] { alone([] { speed::yields(kOperations); }); });
  } else if (what == "kept") {
    // With one priority a thread and no changes of it, the first thread that is chosen stays.
    snag::ExploreOptions how = options("pct", 4000);
    how.pct_depth = 1;
    measure(how, 2 * kOperations, [&] { together(2, [&] { speed::stores(cell, kOperations); }); });
  } else if ((what == "yield" || what == "store") && argc > 2) {
    const int threads = std::atoi(argv[2]);
    const int each = 64'000 / threads;
    if (what == "yield") {
      measure(options("random", 200), threads * each, [&] { together(threads, [=] { speed::yields(each); }); });
    } else {
      measure(options("random", 200), threads * each, [&] { together(threads, [&] { speed::stores(cell, each); }); });
    }
  } else if (what == "thread") {
    measure(options("random", 500), 400, [] {
      const std::uint64_t start = speed::ticks();
      speed::create_and_join(400);
      *inside_ticks += speed::ticks() - start;
    });
  } else if (what == "runs" && argc > 3) {
    const int threads = std::atoi(argv[3]);
    const bool with_main = argc > 4 && std::strcmp(argv[4], "with-main") == 0;
    measure(options(argv[2], static_cast<std::uint64_t>(400'000 / threads)), 1, [=] {
      speed::Counters counters;
      if (with_main) {
        std::thread other([&] { counters.count(); });
        counters.count();
        other.join();
      } else {
        speed::in_threads(threads, [&] { counters.count(); });
      }
    });
  } else {
    std::fprintf(stderr, "in_process: which measurement? See the head of in_process.cc\n");
    return 2;
  }
}
