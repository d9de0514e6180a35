// Implements tool/gen/driver/worker.h: tests under controlled schedules. One child process runs all
// schedules of all tests of the batch, one after the other. A schedule that fails ends that child;
// the next child continues with the following test.
#include <semaphore.h>
#include <snag/explore_c.h>

#include <cstring>
#include <thread>

#include "protocol/shared_memory.h"
#include "tool/gen/driver/worker.h"

namespace snag_gen {

using namespace snag::gen;

namespace {

struct Batch {
  const Driver& driver;
  WorkerShared& shared;
  std::uint64_t schedules;
};

// The threads of the test, all at the same time.
void run_together(Execution& execution, const PlainTest& test) {
  std::thread threads[kMaxTestThreads];
  for (unsigned i = 0; i < test.threads; ++i)
    threads[i] = std::thread([&execution, i] { execution.make_suffix(i); });
  for (unsigned i = 0; i < test.threads; ++i) threads[i].join();
}

// The same threads, but one call at a time: each waits for its turn.
void run_in_order(Execution& execution, const PlainTest& test, const PlainOrder& order) {
  sem_t turns[kMaxTestThreads];
  std::thread threads[kMaxTestThreads];
  for (unsigned i = 0; i < test.threads; ++i) sem_init(&turns[i], 0, 0);
  unsigned next = 0;
  const auto pass_on = [&] {
    if (next < order.length) sem_post(&turns[order.threads[next]]);
  };
  for (unsigned i = 0; i < test.threads; ++i) {
    threads[i] = std::thread([&, i] {
      const auto calls = std::count(order.threads, order.threads + order.length, i);
      for (long made = 0; made < calls; ++made) {
        sem_wait(&turns[i]);
        execution.make_next(i);
        ++next;
        pass_on();
      }
    });
  }
  pass_on();
  for (unsigned i = 0; i < test.threads; ++i) threads[i].join();
  for (unsigned i = 0; i < test.threads; ++i) sem_destroy(&turns[i]);
}

void run_next(void* argument) {
  const Batch& batch = *static_cast<Batch*>(argument);
  WorkerShared& shared = batch.shared;
  const std::uint64_t run = shared.run.load(std::memory_order_relaxed);
  const auto number = static_cast<std::uint32_t>(run / batch.schedules);
  shared.current.store(number, std::memory_order_relaxed);
  shared.observing.store(0, std::memory_order_relaxed);
  shared.stage.store(Stage::kMaking, std::memory_order_relaxed);
  const PlainTest& test = shared.test[number];
  {
    Execution execution(batch.driver, test, shared.live,
                        {shared.observers, shared.observer_count, shared.ignored}, &shared.clock);
    if (execution.make_objects()) {
      shared.stage.store(Stage::kCalling, std::memory_order_relaxed);
      execution.make_prefix();
      if (shared.mode == Mode::kOrdered) {
        run_in_order(execution, test, shared.order[number]);
      } else {
        run_together(execution, test);
      }
      execution.observe(&shared.observing);
    }
    note_run(shared, number, execution);
    shared.stage.store(Stage::kEnding, std::memory_order_relaxed);
  }
  if (run % batch.schedules == batch.schedules - 1)
    shared.result[number].end.store(EndKind::kFinished, std::memory_order_relaxed);
  shared.run.store(run + 1, std::memory_order_relaxed);
}

std::uint32_t failure_kind(const char* name) {
  for (std::uint32_t i = 0; i < snag::kFailureKindCount; ++i) {
    if (std::strcmp(snag::kFailureRows[i].name, name) == 0) return i;
  }
  return static_cast<std::uint32_t>(snag::FailureKind::kUnsupported);  // "refused"
}

template <std::size_t N>
void copy_text(char (&to)[N], const char* from) {
  if (from) std::snprintf(to, N, "%s", from);
}

void note_failure(WorkerShared& shared, std::uint32_t test, const snag_explore_result& explored) {
  Result& result = shared.result[test];
  ++result.runs;
  result.failure = failure_kind(explored.kind);
  result.confirmed = explored.confirmed != 0;
  copy_text(result.message, explored.message);
  copy_text(result.threads, explored.threads);
  for (std::uint32_t i = 0; i < kMaxRecords; ++i)
    result.states[i] = static_cast<std::uint8_t>(shared.live[i].state.load());
  result.observing = shared.observing.load();
  if (explored.failed == SNAG_EXPLORE_FAILED) note_overlaps(shared, test);  // else no run has begun
  result.stage = shared.stage.load();
  result.end.store(EndKind::kFailed, std::memory_order_release);
}

snag_explore_options options_of(const snag::RunSettings& settings) {
  snag_explore_options options{};
  options.backend = "user";
  options.seed = settings.seed;
  options.max_steps = settings.max_steps;
  options.hang_seconds = static_cast<double>(settings.hang_ms) / 1000;
  options.pct_depth = settings.pct_depth;
  options.preemptions = settings.preemption_bound;
  options.races = settings.races == snag::Races::kFail;
  options.heap_checks = settings.heap_checks;
  options.lock_misuse = settings.lock_misuse;
  return options;
}

}  // namespace

void run_controlled(const Driver& driver, WorkerShared& shared) {
  Batch batch{driver, shared, shared.mode == Mode::kOrdered ? 1 : std::uint64_t{shared.schedules}};
  const std::uint64_t total = shared.tests * batch.schedules;
  shared.run = shared.first * batch.schedules;
  while (shared.run < total) {
    snag_explore_options options = options_of(shared.settings);
    options.seed += shared.run;
    options.strategy = shared.mode == Mode::kOrdered ? "random" : "mix";
    options.points = shared.mode == Mode::kOrdered ? "sync" : "shared";
    options.runs = total - shared.run;
    snag_explore_result explored{};
    snag_explore(&options, run_next, &batch, &explored);
    if (explored.failed == SNAG_EXPLORE_PASSED) break;
    const std::uint32_t test = explored.failed == SNAG_EXPLORE_REFUSED
                                   ? static_cast<std::uint32_t>(shared.run / batch.schedules)
                                   : shared.current.load();
    note_failure(shared, test, explored);
    std::free(explored.threads);
    std::free(explored.token);
    shared.run = (test + 1) * batch.schedules;
  }
}

}  // namespace snag_gen
