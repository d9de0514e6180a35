// `snag gen` once the driver is built: generates, runs and judges tests until the budget is used up
// or a violation is found; then shrinks the test and finds its schedule.
//
// gen_session.cc has the main loop, session_probe.cc what comes before it (each constructor and
// each method alone), session_violations.cc what follows a test that looks like a violation.
#pragma once

#include <chrono>
#include <memory>

#include "tool/binary/symbolizer.h"
#include "tool/gen/judge/signature.h"
#include "tool/gen/session/generator.h"
#include "tool/gen/session/session_options.h"
#include "tool/gen/worker/worker_process.h"

namespace snag::gen {

Outcome run_gen(const GenSessionOptions& options, const DriverInfo& driver,
                binary::Symbolizer& symbolizer, const GenHooks& hooks);

class GenSession {
 public:
  GenSession(const GenSessionOptions& options, const DriverInfo& driver,
             binary::Symbolizer& symbolizer, const GenHooks& hooks);

  Outcome run();

 private:
  using Clock = std::chrono::steady_clock;
  using Done = Expected<void>;
  // After the time is over, the tests that ran may be judged for at most this long.
  static constexpr double kJudgeSeconds = 3;

  Done probe_constructors();  // each constructor alone
  Done probe();               // each method alone
  WorkerSettings probe_settings() const;
  Done validate(std::vector<Draft>& drafts);  // keeps those that run alone
  Done work();                                // one batch
  Done look_behind_races(const Batch& batch, const std::vector<TestResult>& results);
  bool is_over() const;
  Done handle(Violation violation);  // a candidate
  bool count_known(const Signature& signature);
  // Same violation seen through other methods.
  void count_same(std::size_t violation, const Signature& signature);
  Expected<std::optional<Violation>> check_again(const Violation& violation);
  void extend(double seconds);  // the deadline
  static Clock::duration to_clock(double seconds);
  WorkerSettings settings_for(ViolationKind kind) const;  // to see a violation again
  Expected<std::vector<std::optional<Violation>>> try_tests(const std::vector<Test>& tests,
                                                            Mode mode, std::uint32_t schedules,
                                                            const WorkerSettings& settings);
  void remember(const Test& test, std::size_t thread, const TestResult& result);
  void note_coverage(const Test& test, const TestResult& result);
  void note_needed_pair(const Test& test);  // of a violation
  void learn();
  void update_totals();
  bool out_of_budget() const;
  bool is_cut() const;  // the running work has to end
  double elapsed() const;

  const GenSessionOptions& options_;
  const DriverInfo& driver_;
  binary::Symbolizer& symbolizer_;
  const GenHooks& hooks_;
  Generator generator_;
  WorkerProcess worker_;         // for all that runs under control
  WorkerProcess system_worker_;  // for the system's scheduler: it has threads, and must not fork
  WorkerSettings settings_;
  Oracle oracle_;
  std::vector<std::pair<Signature, std::size_t>> signatures_;  // and which violation has it
  std::vector<std::string> races_;    // by violation: the two places of its data race, if any
  std::vector<Signature> dismissed_;  // of candidates that were not violations
  std::vector<std::string> trouble_;  // by method: what went wrong when it was called alone
  std::size_t batch_size_ = 8;
  std::uint64_t batches_ = 0;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point end_ = Clock::time_point::max();  // of the session
  Clock::time_point deadline_ = end_;                 // of the current activity
  std::uint64_t unchecked_ = 0;                       // candidates that ran out of time
  Outcome outcome_;
};

// Why a constructor, called alone, cannot be used: "throws int". Empty: it can.
std::string constructor_trouble(const TestResult& result);

// What running one sequence alone showed.
SequenceResult sequence_result(const Test& test, const TestResult& result);

}  // namespace snag::gen
