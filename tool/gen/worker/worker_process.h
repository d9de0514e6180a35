// Runs batches of tests by a driver, in a separate process. If the class under test makes that
// process crash, exit or hang, that becomes the result of the test; a new process then continues
// with the next test.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "protocol/shared_memory.h"
#include "tool/base/error.h"
#include "tool/base/shared_file.h"
#include "tool/gen/model/test.h"

namespace snag::gen {

struct CallResult {
  CallState state = CallState::kNotMade;
  bool thrown = false;
  std::string text;      // complete, for reports
  std::string compared;  // the part that is compared
  std::uint64_t hash = 0;
  std::uint64_t begin = 0, end = 0;
};

// One way in which the test finished.
struct TestOutcome {
  std::uint64_t hash = 0;
  std::uint32_t count = 0;
  // Of prefix, suffixes, the observers on the object and on the second object.
  std::vector<CallResult> calls;
};

struct TestResult {
  bool ended = false;  // all of its runs, or one that failed; not if the batch was cut short
  std::vector<TestOutcome> outcomes;
  bool failed = false;  // one run failed; the others are in `outcomes`
  FailureKind failure = FailureKind::kNone;
  bool confirmed = false;
  std::string message;
  std::string threads;
  std::vector<CallState> states;  // of the calls, in the run that failed
  std::uint32_t observing = 0;    // 1 + the observer that it was in
  Stage stage = Stage::kCalling;  // where that run was
  std::string unmade;             // what a constructor did instead of making an object
  std::uint64_t runs = 0;
  // Pairs of calls (their numbers in the test) that ran at the same time.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> overlaps;
  // Pairs of methods that did, at least one of them called by another method.
  std::vector<std::pair<std::uint16_t, std::uint16_t>> inner_pairs;
};

struct Batch {
  Mode mode = Mode::kControlled;
  std::vector<Test> tests;
  std::vector<Order> orders;  // one for each test, with Mode::kOrdered
  std::uint32_t schedules = 1;
  std::uint64_t seed = 1;
};

// Settings for all batches.
struct WorkerSettings {
  RunSettings run = {.races = Races::kFail, .max_steps = 20'000, .hang_ms = 2'000};
  std::vector<std::uint16_t> observers;
  std::vector<std::uint16_t> ignored;  // methods whose results are not compared
};

// Runs tests. The interface of WorkerProcess that the oracle uses, so that its tests need no
// process.
class TestRunner {
 public:
  virtual ~TestRunner() = default;
  // One result for each test, of which there are at most kMaxTests.
  virtual Expected<std::vector<TestResult>> run(const Batch& batch,
                                                const WorkerSettings& settings) = 0;
  // Whether the last batch was cut short: then it has only the results of the runs until then.
  virtual bool was_cut() const = 0;
};

class WorkerProcess final : public TestRunner {
 public:
  explicit WorkerProcess(std::string executable) : executable_(std::move(executable)) {}
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess() override { stop(); }

  // Polled while a batch runs: true cuts it short, whatever the class is doing.
  void cut_when(std::function<bool()> should_cut) { should_cut_ = std::move(should_cut); }

  Expected<std::vector<TestResult>> run(const Batch& batch,
                                        const WorkerSettings& settings) override;
  // The next batch gets a new process.
  void stop();

  bool was_cut() const override { return was_cut_; }
  std::uint64_t restarts() const { return restarts_; }

 private:
  Expected<void> start();
  Expected<void> start_once();
  void fill(const Batch& batch, const WorkerSettings& settings);
  // Returns true when the batch is done; false if the process ended, which is recorded, or was cut
  // short.
  bool await(const WorkerSettings& settings);
  bool cut();  // if should_cut_ says so
  void note_end(int status, bool was_hanging);
  std::vector<TestResult> results(std::size_t tests) const;

  WorkerShared& shared() const { return *static_cast<WorkerShared*>(file_->memory()); }

  std::string executable_;
  std::optional<SharedFile> file_;
  pid_t process_ = 0;
  std::function<bool()> should_cut_ = [] { return false; };
  bool was_cut_ = false;
  std::uint64_t restarts_ = 0;
};

}  // namespace snag::gen
