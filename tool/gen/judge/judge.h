// Decides whether a behaviour violates thread safety: it does if no order of the same calls, made
// one after the other, explains it. No specification is needed, because the class itself, used by
// one caller at a time, says what is right.
//
//  - An outcome (results, exceptions, final state) is explained by an order with the same outcome.
//  - A crash, heap error, race, misuse of a lock or exit is explained by an order with a similar
//    failure.
//  - A deadlock is explained by an order of the calls that had ended (and possibly of more calls)
//    after which every next call, made alone, blocks, too.
//
// What cannot be judged is never reported: too many orders, no order that finishes (the calls need
// each other), methods that do not behave the same twice.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tool/base/error.h"
#include "tool/gen/model/test.h"
#include "tool/gen/worker/worker_process.h"

namespace snag::gen {

enum class ViolationKind { kException, kCrash, kStuck, kHeap, kRace, kLocks, kExit, kResult };
inline constexpr const char* kViolationNames[] = {"exception",  "crash",       "deadlock",
                                                  "heap error", "data race",   "misuse of a lock",
                                                  "exit",       "wrong result"};

// Which violations count.
struct OracleOptions {
  bool exceptions = true;
  bool crashes = true;
  bool deadlocks = true;  // and hangs
  bool heap = true;
  bool races = true;
  bool locks = true;
  bool results = true;
};

// What happened when the calls were made one after the other.
struct Linearization {
  Order order;
  bool finished = false;
  TestOutcome outcome;
  FailureKind failure = FailureKind::kNone;
  std::string message;
  std::vector<CallState> states;
  std::uint32_t observing = 0;
};

struct Violation {
  ViolationKind kind = ViolationKind::kResult;
  FailureKind failure = FailureKind::kNone;  // of a run that failed
  Test test;
  std::string message;
  TestOutcome outcome;            // of a run that finished
  std::vector<CallState> states;  // of a run that failed
  std::vector<Linearization> linearizations;
};

// What the oracle learned about the methods, for the session to act on.
struct Lessons {
  std::vector<std::uint16_t> hostile_observers;  // crash or block in some states
  std::vector<std::uint16_t> changing_methods;   // do not behave the same twice
  bool empty() const { return hostile_observers.empty() && changing_methods.empty(); }
};

class Oracle {
 public:
  // A test with more orders than this stays unjudged.
  static constexpr std::size_t kMostOrders = 2000;

  Oracle(TestRunner& worker, OracleOptions options) : worker_(worker), options_(options) {}

  // The violation, if any, that the runs of each test showed. If the worker is cut short, the
  // result has only the tests that were judged until then.
  Expected<std::vector<std::optional<Violation>>> judge(const std::vector<Test>& tests,
                                                        const std::vector<TestResult>& results,
                                                        const WorkerSettings& settings);

  Lessons take_lessons() { return std::exchange(lessons_, {}); }

  std::uint64_t linearizations_run() const { return linearizations_run_; }
  std::uint64_t unjudged() const { return unjudged_; }
  const std::string& unsupported() const { return unsupported_; }  // why a test could not run

 private:
  using Known = std::map<Order, Linearization>;

  struct WantedOrder {
    const Test* test;
    Order order;
    Known* known;
  };

  // Whether the worker ran everything, or was cut short.
  enum class Ran { kAll, kCut };

  struct Judgement {
    Ran ran = Ran::kAll;  // kCut: the test is not judged
    std::optional<Violation> violation;
  };
  static constexpr Judgement cut() { return {Ran::kCut, std::nullopt}; }
  // Counts a test that cannot be judged.
  Judgement unjudged_test();

  // Runs the orders, and stores what happened in each order's `known`.
  Expected<Ran> run_orders(const std::vector<WantedOrder>& wanted, const WorkerSettings& settings);
  // Runs those that are not known yet.
  Expected<Ran> run_orders(const Test& test, const std::vector<Order>& orders,
                           const WorkerSettings& settings, Known& known);
  Expected<Judgement> judge_one(const Test& test, const TestResult& result,
                                const WorkerSettings& settings, Known& known);
  Expected<Judgement> judge_outcomes(const Test& test, const TestResult& result,
                                     const WorkerSettings& settings, Known& known);
  Expected<Judgement> judge_failure(const Test& test, const TestResult& result,
                                    const WorkerSettings& settings, Known& known);
  Expected<Judgement> judge_stuck(const Test& test, const TestResult& result,
                                  const WorkerSettings& settings);
  struct Stuck {
    Ran ran = Ran::kAll;
    bool is_possible = false;   // these calls can be made one after the other
    bool is_explained = false;  // and then every other call blocks
  };
  Expected<Stuck> stuck_after(const Test& test, const std::vector<std::size_t>& counts,
                              const WorkerSettings& settings, Known& known);
  // Whether the same orders have the same outcomes again; kCut: not known.
  struct Repeated {
    Ran ran = Ran::kAll;
    bool is_same = false;
  };
  Expected<Repeated> repeat(const Test& test, const WorkerSettings& settings, const Known& known);
  bool learn_observers(const Known& known, const WorkerSettings& settings);
  bool is_explained(const TestOutcome& outcome, const Known& known) const;
  std::vector<Order> next_orders(const Test& test, const TestResult& result, int round,
                                 const Known& known) const;

  TestRunner& worker_;
  OracleOptions options_;
  Lessons lessons_;
  std::uint64_t linearizations_run_ = 0;
  std::uint64_t unjudged_ = 0;
  std::string unsupported_;
};

ViolationKind violation_kind(FailureKind failure);
// kException: a call that threw what no order throws; null for other kinds.
const CallResult* unexpected_throw(const Violation& violation);
bool is_enabled(ViolationKind kind, const OracleOptions& options);

}  // namespace snag::gen
