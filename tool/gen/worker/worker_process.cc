#include "tool/gen/worker/worker_process.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "tool/base/futex.h"
#include "tool/base/process.h"
#include "tool/gen/worker/child.h"
#include "tool/session/failed_run.h"

namespace snag::gen {
namespace {

using Clock = std::chrono::steady_clock;

// Under control, the worker has its own watchdog: this one watches the worker itself.
constexpr double kWorkerPatience = 20;
constexpr int kStarts = 3;

void copy_observers(const WorkerSettings& settings, WorkerShared& shared) {
  shared.observer_count =
      static_cast<std::uint32_t>(std::min<std::size_t>(settings.observers.size(), kMaxObservers));
  std::copy_n(settings.observers.begin(), shared.observer_count, shared.observers);
  std::fill(std::begin(shared.ignored), std::end(shared.ignored), std::uint8_t{0});
  for (const std::uint16_t method : settings.ignored)
    shared.ignored[method / 8 % sizeof shared.ignored] |=
        static_cast<std::uint8_t>(1 << (method % 8));
}

CallResult call_result(const CallRecord& record) {
  CallResult result;
  result.state = record.state.load(std::memory_order_relaxed);
  result.thrown = record.thrown != 0;
  result.text = session::bounded_string(record.text, std::min<std::size_t>(record.size, kTextSize));
  result.compared = result.text.substr(0, record.compared);
  result.hash = record.hash;
  result.begin = record.begin;
  result.end = record.end;
  return result;
}

}  // namespace

void WorkerProcess::stop() {
  if (process_ == 0) return;
  kill(-process_, SIGKILL);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
}

bool WorkerProcess::cut() {
  if (!should_cut_()) return false;
  was_cut_ = true;
  stop();
  return true;
}

// The process may be killed at any time, even now: then try once more.
Expected<void> WorkerProcess::start() {
  Expected<void> started;
  for (int attempt = 0; attempt < kStarts; ++attempt) {
    started = start_once();
    if (started || was_cut_) break;
  }
  return started;
}

Expected<void> WorkerProcess::start_once() {
  if (!file_) {
    auto file = SharedFile::create("snag-gen", sizeof(WorkerShared), true);
    if (!file) return tl::unexpected(file.error());
    file_.emplace(std::move(*file));
    shared().magic = kGenMagic;
    shared().version = kGenVersion;
  }
  shared().phase.store(WorkerPhase::kStarting);
  shared().answered.store(shared().request.load());
  auto process = start_driver(executable_, {"--worker", std::to_string(file_->fd())});
  if (!process) return tl::unexpected(process.error());
  process_ = *process;
  ++restarts_;
  const auto begin = Clock::now();
  while (shared().phase.load(std::memory_order_acquire) != WorkerPhase::kIdle) {
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) == process_) {
      process_ = 0;
      return nothing_ran(fmt::format(
          "the driver '{}' {} before it could work: build it again with this version of Snag",
          executable_, describe_status(status)));
    }
    if (cut()) return {};
    if (Clock::now() - begin > std::chrono::duration<double>(kWorkerPatience)) {
      stop();
      return nothing_ran(fmt::format(
          "the driver '{}' did not reach main within {} seconds: does the class wait for something "
          "before main?",
          executable_, kWorkerPatience));
    }
    usleep(200);
  }
  return {};
}

void WorkerProcess::fill(const Batch& batch, const WorkerSettings& settings) {
  WorkerShared& s = shared();
  s.mode = batch.mode;
  s.tests = static_cast<std::uint32_t>(batch.tests.size());
  s.schedules = std::max(batch.schedules, 1u);
  s.settings = settings.run;
  s.settings.seed = batch.seed;
  copy_observers(settings, s);
  for (std::size_t i = 0; i < batch.tests.size(); ++i) {
    s.test[i] = to_plain(batch.tests[i]);
    if (batch.mode == Mode::kOrdered) s.order[i] = to_plain(batch.orders[i]);
    std::memset(static_cast<void*>(&s.result[i]), 0, sizeof(Result));
  }
  s.outcome_count = s.record_count = 0;
  s.lost_outcomes = 0;
  s.first = 0;
}

bool WorkerProcess::await(const WorkerSettings& settings) {
  WorkerShared& s = shared();
  const std::uint32_t request = s.request.load();
  const double hang_seconds = static_cast<double>(settings.run.hang_ms) / 1000;
  const double patience =
      s.mode == Mode::kSystem ? hang_seconds : hang_seconds * 4 + kWorkerPatience;
  auto last_change = Clock::now();
  std::uint64_t last_run = ~std::uint64_t{0};
  std::uint32_t last_test = ~0u;
  for (;;) {
    const std::uint32_t answered = s.answered.load(std::memory_order_acquire);
    if (answered == request) return true;
    futex_wait(s.answered, answered, std::chrono::milliseconds(20));
    if (s.answered.load(std::memory_order_acquire) == request) return true;
    if (cut()) return false;
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) == process_) {
      kill(-process_, SIGKILL);  // processes that it has started
      process_ = 0;
      note_end(status, false);
      return false;
    }
    const std::uint64_t run = s.run.load(std::memory_order_relaxed);
    const std::uint32_t test = s.current.load(std::memory_order_relaxed);
    if (run != last_run || test != last_test) {
      last_run = run, last_test = test, last_change = Clock::now();
    } else if (Clock::now() - last_change > std::chrono::duration<double>(patience)) {
      stop();
      note_end(0, true);
      return false;
    }
  }
}

void WorkerProcess::note_end(int status, bool was_hanging) {
  WorkerShared& s = shared();
  const std::uint32_t test = std::min(s.current.load(), s.tests - 1);
  Result& result = s.result[test];
  FailureKind kind = FailureKind::kHang;
  std::string message = "the calls did not come back";
  if (!was_hanging) {
    message = "the process " + describe_status(status);
    kind = WIFEXITED(status)             ? FailureKind::kExit
           : WTERMSIG(status) == SIGABRT ? FailureKind::kAbort
                                         : FailureKind::kSignal;
  }
  result.failure = static_cast<std::uint32_t>(kind);
  std::snprintf(result.message, sizeof result.message, "%s", message.c_str());
  for (std::uint32_t i = 0; i < kMaxRecords; ++i)
    result.states[i] = static_cast<std::uint8_t>(s.live[i].state.load());
  result.observing = s.observing.load();
  result.stage = s.stage.load();
  ++result.runs;
  result.end.store(EndKind::kFailed);
  s.first = test + 1;
}

Expected<std::vector<TestResult>> WorkerProcess::run(const Batch& batch,
                                                     const WorkerSettings& settings) {
  was_cut_ = false;
  if (cut()) return std::vector<TestResult>(batch.tests.size());
  if (process_ == 0) {
    if (auto started = start(); !started) return tl::unexpected(started.error());
    if (was_cut_) return std::vector<TestResult>(batch.tests.size());
  }
  fill(batch, settings);
  while (shared().first < shared().tests && !was_cut_) {
    if (process_ == 0) {
      if (auto started = start(); !started) return tl::unexpected(started.error());
      if (was_cut_) break;
    }
    shared().current.store(shared().first);
    shared().request.fetch_add(1, std::memory_order_release);
    futex_wake(shared().request);
    if (await(settings)) break;
  }
  return results(batch.tests.size());
}

std::vector<TestResult> WorkerProcess::results(std::size_t tests) const {
  const WorkerShared& s = shared();
  std::vector<TestResult> all(tests);
  for (std::size_t i = 0; i < tests; ++i) {
    const Result& from = s.result[i];
    TestResult& to = all[i];
    to.runs = from.runs;
    to.ended = from.end.load() != EndKind::kNone;
    to.failed = from.end.load() == EndKind::kFailed;
    if (to.failed) {
      to.failure = from.failure < kFailureKindCount ? static_cast<FailureKind>(from.failure)
                                                    : FailureKind::kInternal;
      to.confirmed = from.confirmed != 0;
      to.message = session::bounded_string(from.message, sizeof from.message);
      to.threads = session::bounded_string(from.threads, sizeof from.threads);
      to.observing = from.observing;
      to.stage = from.stage;
      for (const std::uint8_t state : from.states)
        to.states.push_back(static_cast<CallState>(std::min<std::uint8_t>(state, 2)));
    }
    if (from.unmade != 0 && !to.failed)
      to.unmade = session::bounded_string(from.message, sizeof from.message);
    for (std::uint32_t a = 0; a < kMaxCalls; ++a) {
      for (std::uint64_t bits = from.overlaps[a]; bits != 0; bits &= bits - 1)
        to.overlaps.emplace_back(a, static_cast<std::uint32_t>(__builtin_ctzll(bits)));
    }
    for (const std::atomic<std::uint32_t>& slot : from.inner_pairs) {
      const std::uint32_t pair = slot.load(std::memory_order_relaxed);
      if (pair == 0) break;
      to.inner_pairs.push_back({static_cast<std::uint16_t>((pair >> 16) - 1),
                                static_cast<std::uint16_t>((pair & 0xffff) - 1)});
    }
  }
  const std::uint32_t count = std::min(s.outcome_count.load(), kMaxDistinct);
  for (std::uint32_t i = 0; i < count; ++i) {
    const OutcomeSlot& from = s.outcome[i];
    if (from.test >= tests || from.records > kMaxRecords ||
        from.first_record > kRecordPool - from.records)
      continue;
    TestOutcome outcome{from.hash, from.count, {}};
    for (std::uint32_t r = 0; r < from.records; ++r)
      outcome.calls.push_back(call_result(s.record[from.first_record + r]));
    all[from.test].outcomes.push_back(std::move(outcome));
  }
  return all;
}

}  // namespace snag::gen
