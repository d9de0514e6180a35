// Runs a piece of a test under many thread schedules, inside the test's own process.
//
//   #include <snag/explore.h>
//
//   snag::ExploreResult result = snag::explore({.runs = 10'000}, [] {
//     Queue queue;                                  // a new one in every run
//     std::thread producer([&] { queue.push(1); });
//     int value = queue.pop();
//     producer.join();
//     assert(value == 1);
//   });
//   if (!result) std::cerr << result.report() << '\n';
//
// Compile and link the test with `snag c++` (or snag_instrument in CMake). The body must make all
// its own state: it is called again and again, and every call must start from the same point. It
// fails when it crashes, asserts, throws, calls snag::fail, deadlocks, or never ends. Runs happen
// in a child process, so a crash in one costs neither the test process nor what the other runs
// found.
//
// A failing result carries a replay token. To see just that schedule again, give it back in
// options.replay, or set SNAG_REPLAY to it.
#pragma once

#include <snag/explore_c.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace snag {

struct ExploreOptions {
  std::uint64_t runs = 1000;
  double seconds = 0;             // 0: no time limit
  std::uint64_t seed = 1;         // the same seed gives the same schedules
  const char* strategy = "mix";   // random, pct, pos, surw, dfs, mix
  const char* points = "shared";  // sync, shared, all
  const char* backend = "user";   // user, futex
  std::uint32_t pct_depth = 3;
  std::int32_t preemptions = -1;  // dfs: bound, -1: none
  std::uint64_t max_steps = 100'000;
  double hang_seconds = 10;  // without any step
  std::string replay = {};   // a token: run only that schedule
  bool keep_output = false;  // show what the body prints
  bool races = true;         // a data race is a failure
  bool heap_checks = true;   // use after free, double free and the like are failures
  bool lock_misuse = true;   // is a failure
};

struct ExploreResult {
  bool failed = false;
  bool confirmed = false;  // the failure came back in a replay
  bool diverged = false;   // options.replay could not be followed
  bool exhausted = false;  // dfs: there is no other schedule (within the bound, if one is set)
  bool bound_hit = false;  // dfs: the bound left some out
  std::uint64_t runs = 0;
  std::uint64_t distinct_orders = 0;
  std::uint64_t steps = 0;
  std::uint64_t failing_run = 0;
  std::string kind;  // assert, deadlock, lost-wakeup, signal, exception, ...
  std::string message;
  std::string threads;  // what each thread was doing
  std::string token;

  explicit operator bool() const { return !failed && !diverged; }

  std::string report() const {
    if (!failed && !diverged) {
      return "no failure in " + std::to_string(runs) +
             (runs == 1 ? " schedule (" : " schedules (") + std::to_string(distinct_orders) +
             " distinct partial orders)" +
             (!exhausted  ? ""
              : bound_hit ? "; there are no others within the bound"
                          : "; there are no others");
    }
    if (kind == "refused") return "snag::explore did not run: " + message;
    if (diverged) return "the replay could not be followed: " + message;
    std::string text =
        kind + " in run " + std::to_string(failing_run) + ": " + message + "\n" + threads;
    if (!confirmed) text += "not confirmed: it did not come back in a replay\n";
    return text + "replay with SNAG_REPLAY='" + token + "'";
  }
};

// Ends the current run as failed.
[[noreturn]] inline void fail(const std::string& message) { snag_fail(message.c_str()); }

template <class Body>
ExploreResult explore(const ExploreOptions& options, Body&& body) {
  const char* replay = options.replay.empty() ? std::getenv("SNAG_REPLAY") : options.replay.c_str();
  const snag_explore_options plain{options.strategy,
                                   options.points,
                                   options.backend,
                                   options.runs,
                                   options.seed,
                                   options.max_steps,
                                   options.seconds,
                                   options.hang_seconds,
                                   options.pct_depth,
                                   options.preemptions,
                                   replay,
                                   options.keep_output,
                                   options.races,
                                   options.heap_checks,
                                   options.lock_misuse};
  // An exception must not leave the run: it would be caught somewhere above, in the wrong process.
  const auto call = [](void* argument) {
    try {
      (**static_cast<std::remove_reference_t<Body>**>(argument))();
    } catch (const std::exception& exception) {
      fail(std::string("exception: ") + exception.what());
    } catch (...) {
      fail("an exception that is not a std::exception");
    }
  };
  snag_explore_result raw{};
  std::remove_reference_t<Body>* target = std::addressof(body);
  snag_explore(&plain, call, const_cast<void*>(static_cast<const void*>(&target)), &raw);
  ExploreResult result;
  result.failed = raw.failed == SNAG_EXPLORE_FAILED || raw.failed == SNAG_EXPLORE_REFUSED;
  result.diverged = raw.failed == SNAG_EXPLORE_DIVERGED;
  result.confirmed = raw.confirmed != 0;
  result.exhausted = raw.exhausted != 0;
  result.bound_hit = raw.bound_hit != 0;
  result.runs = raw.runs;
  result.distinct_orders = raw.distinct_orders;
  result.steps = raw.steps;
  result.failing_run = raw.failing_run;
  result.kind = raw.kind;
  result.message = raw.message;
  if (raw.threads) result.threads = raw.threads;
  if (raw.token) result.token = raw.token;
  std::free(raw.threads);
  std::free(raw.token);
  return result;
}

}  // namespace snag
