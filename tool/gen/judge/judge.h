// Was it a violation of thread safety? A behaviour is one if no order of the same calls, made one
// after the other, explains it. Needs no specification: the class itself, used by one caller at a
// time, says what is right.
//
//  - an outcome (results, exceptions, final state) is explained by an order that has the same;
//  - a crash, a heap error, a race, a misuse of locks, an exit: by an order in which the like
//    happens;
//  - threads that wait for ever: by an order of the calls that had ended (and of some of those that
//    were still to come), after which each call that comes next waits, too, when it is made alone.
//
// What cannot be judged is never reported: too many orders, no order that comes to its end (the
// calls need each other), methods that do not do the same twice.
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

// What counts.
struct OracleOptions {
  bool exceptions = true;
  bool crashes = true;
  bool deadlocks = true;  // and hangs
  bool heap = true;
  bool races = true;
  bool locks = true;
  bool results = true;
};

// The calls made one after the other.
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
  FailureKind failure = FailureKind::kNone;  // of a run that did not end well
  Test test;
  std::string message;
  TestOutcome outcome;            // of a run that ended
  std::vector<CallState> states;  // of a run that did not
  std::vector<Linearization> linearizations;
};

// What the oracle has learned about the methods: the session acts on it.
struct Lessons {
  std::vector<std::uint16_t> hostile_observers;  // they crash or wait on some states
  std::vector<std::uint16_t> changing_methods;   // they do not do the same twice
  bool empty() const { return hostile_observers.empty() && changing_methods.empty(); }
};

class Oracle {
 public:
  // More orders than that are not tried: the outcome stays unjudged.
  static constexpr std::size_t kMostOrders = 2000;

  Oracle(WorkerProcess& worker, OracleOptions options) : worker_(worker), options_(options) {}

  // For each test the violation that one of its runs showed. Of the first ones only, if the worker
  // was cut short: the others are not judged.
  Expected<std::vector<std::optional<Violation>>> judge(const std::vector<Test>& tests,
                                                        const std::vector<TestResult>& results,
                                                        const WorkerSettings& settings);

  Lessons take_lessons() { return std::exchange(lessons_, {}); }

  std::uint64_t linearizations_run() const { return linearizations_run_; }
  std::uint64_t unjudged() const { return unjudged_; }
  const std::string& unsupported() const { return unsupported_; }  // why a test could not be run

 private:
  using Known = std::map<Order, Linearization>;

  struct Ask {
    const Test* test;
    Order order;
    Known* known;
  };

  // Runs them one after the other; what comes of each goes to its `known`.
  Expected<void> run_orders(const std::vector<Ask>& asks, const WorkerSettings& settings);
  // Those that are not known yet.
  Expected<void> run_orders(const Test& test, const std::vector<Order>& orders,
                            const WorkerSettings& settings, Known& known);
  Expected<std::optional<Violation>> judge_one(const Test& test, const TestResult& result,
                                               const WorkerSettings& settings, Known& known);
  Expected<std::optional<Violation>> judge_outcomes(const Test& test, const TestResult& result,
                                                    const WorkerSettings& settings, Known& known);
  Expected<std::optional<Violation>> judge_failure(const Test& test, const TestResult& result,
                                                   const WorkerSettings& settings, Known& known);
  Expected<std::optional<Violation>> judge_stuck(const Test& test, const TestResult& result,
                                                 const WorkerSettings& settings);
  struct Stuck {
    bool is_possible = false;   // these calls can be made one after the other
    bool is_explained = false;  // and then every other one waits
  };
  Expected<Stuck> stuck_after(const Test& test, const std::vector<std::size_t>& counts,
                              const WorkerSettings& settings, Known& known);
  Expected<bool> is_repeatable(const Test& test, const WorkerSettings& settings,
                               const Known& known);
  bool learn_observers(const Known& known, const WorkerSettings& settings);
  bool is_explained(const TestOutcome& outcome, const Known& known) const;
  std::vector<Order> next_orders(const Test& test, const TestResult& result, int round,
                                 const Known& known) const;

  WorkerProcess& worker_;
  OracleOptions options_;
  Lessons lessons_;
  std::uint64_t linearizations_run_ = 0;
  std::uint64_t unjudged_ = 0;
  std::string unsupported_;
};

ViolationKind violation_kind(FailureKind failure);
// Of ViolationKind::kException: the call (one of them) that threw what no order throws.
const CallResult* unexpected_throw(const Violation& violation);
bool is_enabled(ViolationKind kind, const OracleOptions& options);

}  // namespace snag::gen
