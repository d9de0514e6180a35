// Implements tool/gen/session/gen_session.h: before the tests, each constructor and each method
// runs alone.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tool/gen/session/gen_session.h"

namespace snag::gen {
namespace {

// How long a method or a constructor may take when called alone, before it is left out. Less in a
// short session with many of them, which spends at most half its time on that.
constexpr double kProbeSeconds = 1;
constexpr double kShortestProbe = 0.2;
constexpr double kProbeShare = 0.5;

// What happened with a constructor, with one set of arguments after the other.
struct ConstructorTrial {
  bool is_decided = false;
  std::string trouble;  // of the last try; empty: it makes objects
  int costly = 0;       // tries that did not return, or ended the process

  void add(const TestResult& result) {
    trouble = constructor_trouble(result);
    costly += result.failure == FailureKind::kHang || result.failure == FailureKind::kExit;
    is_decided = trouble.empty() || costly == 2;
  }
};

}  // namespace

std::string constructor_trouble(const TestResult& result) {
  if (!result.failed) return result.unmade;
  std::string what = result.message;
  if (result.failure == FailureKind::kHang) what = "does not come back";
  if (result.failure == FailureKind::kExit) what = "ends the process: " + result.message;
  if (result.stage == Stage::kEnding) return "makes an object whose destructor fails: " + what;
  return result.failure == FailureKind::kHang || result.failure == FailureKind::kExit
             ? what
             : "fails: " + what;
}

SequenceResult sequence_result(const Test& test, const TestResult& result) {
  SequenceResult made;
  const std::size_t prefix = test.prefix.size();
  const auto place = [&](std::size_t call) {
    made.in_prefix = call < prefix;
    made.failed_call = made.in_prefix ? call : call - prefix;
  };
  if (result.failed) {
    if (result.observing != 0) return made;  // the calls themselves succeeded
    const bool waits = has_trait(result.failure, kThreadsWait | kOutOfSteps);
    made.end = waits ? SequenceEnd::kWaits : SequenceEnd::kBad;
    made.is_costly = result.failure == FailureKind::kHang || result.failure == FailureKind::kExit;
    std::size_t call = 0;
    while (call < test.calls() && call < result.states.size() &&
           result.states[call] == CallState::kDone)
      ++call;
    if (call == test.calls() && call > 0) --call;  // when the object was destroyed
    place(call);
    if (made.in_prefix) made.end = SequenceEnd::kBad;
    // Nothing was called: an object could not be made.
    if (result.stage == Stage::kMaking || result.states.empty() ||
        result.states[call] == CallState::kNotMade) {
      made = {SequenceEnd::kBad, prefix, true, made.is_costly};
    }
    return made;
  }
  if (result.outcomes.empty()) return {SequenceEnd::kBad, prefix, true, false};
  const auto& calls = result.outcomes.front().calls;
  for (std::size_t i = 0; i < test.calls() && i < calls.size(); ++i) {
    if (calls[i].state == CallState::kNotMade) return {SequenceEnd::kBad, prefix, true, false};
    if (!calls[i].thrown) continue;
    made.end = SequenceEnd::kThrows;
    place(i);
    return made;
  }
  return made;
}

void GenSession::remember(const Test& test, std::size_t thread, const TestResult& result) {
  if (!result.ended) return;
  Test alone = test;
  alone.suffixes = {test.suffixes[thread]};
  const SequenceResult made = sequence_result(alone, result);
  generator_.remember(test, thread, made);
  if (result.failed && result.observing != 0 && result.observing <= settings_.observers.size()) {
    settings_.observers.erase(settings_.observers.begin() + result.observing - 1);
    return;
  }
  const auto& calls = made.in_prefix ? test.prefix : test.suffixes[thread];
  if (made.end == SequenceEnd::kBad && made.failed_call < calls.size())
    trouble_[calls[made.failed_call].method] =
        result.message + (result.stage == Stage::kEnding ? ", when the object was destroyed" : "");
}

WorkerSettings GenSession::probe_settings() const {
  WorkerSettings settings = settings_;
  double patience = kProbeSeconds;
  // Each is called at most twice if it does not return.
  const auto calls =
      static_cast<double>(2 * (driver_.methods.size() + driver_.constructors.size()));
  if (options_.seconds > 0) patience = std::min(patience, options_.seconds * kProbeShare / calls);
  const double hang_ms = std::max(patience, kShortestProbe) * 1000;
  settings.run.hang_ms = std::min(settings.run.hang_ms, static_cast<std::uint64_t>(hang_ms));
  settings.observers.clear();
  return settings;
}

// Nothing can be tested without an object, so report that at once, with the reason.
Expected<void> GenSession::probe_constructors() {
  const WorkerSettings settings = probe_settings();
  Random random(options_.run.seed);
  std::map<std::uint16_t, ConstructorTrial> trials;
  for (std::size_t i = 0; i < driver_.constructors.size(); ++i)
    trials[static_cast<std::uint16_t>(i)] = {};
  for (int attempt = 0; attempt < Generator::kTries; ++attempt) {
    Batch batch;
    batch.mode = Mode::kOrdered;
    for (const auto& [constructor, trial] : trials) {
      const int arguments = driver_.constructors[constructor].arguments;
      if (trial.is_decided || (attempt > 0 && arguments == 0) || batch.tests.size() == kMaxTests)
        continue;
      Test test;
      test.constructor.method = constructor;
      for (std::uint8_t& seed : test.constructor.seeds)
        seed = attempt == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(random() % 16);
      batch.tests.push_back(test);
      batch.orders.emplace_back();
    }
    if (batch.tests.empty()) break;
    auto results = worker_.run(batch, settings);
    if (!results) return tl::unexpected(results.error());
    if (worker_.was_cut()) return {};
    for (std::size_t i = 0; i < results->size(); ++i)
      trials[batch.tests[i].constructor.method].add((*results)[i]);
  }
  std::string reasons;
  for (const auto& [constructor, trial] : trials) {
    if (trial.trouble.empty()) continue;
    const std::string& name = driver_.constructors[constructor].name;
    outcome_.left_out.push_back({name, trial.trouble});
    generator_.leave_out_constructor(constructor);
    reasons += fmt::format("\n  {} {}", name, trial.trouble);
  }
  if (outcome_.left_out.size() < trials.size()) return {};
  outcome_.left_out.clear();
  return nothing_ran(fmt::format(
      "no object of {} can be made and destroyed:{}\nsay how to make one with --factory, or which "
      "arguments are right with --arg-pool",
      driver_.class_name, reasons));
}

// Most methods run without trouble, but some classes have one that ends the process or never
// returns: find these before building tests with them.
Expected<void> GenSession::probe() {
  const WorkerSettings settings = probe_settings();
  Random random(options_.run.seed);
  constexpr std::size_t kAtATime = 64;
  for (std::size_t first = 0; first < driver_.methods.size(); first += kAtATime) {
    std::set<std::size_t> late;  // methods that did not return
    for (int attempt = 0; attempt < 2; ++attempt) {
      Batch batch;
      batch.mode = Mode::kOrdered;
      for (std::size_t i = first; i < driver_.methods.size() && i < first + kAtATime; ++i) {
        if (late.count(i) > 0) continue;
        Test test;
        const std::vector<std::uint16_t>& constructors = generator_.constructors();
        test.constructor.method = constructors[random() % constructors.size()];
        TestCall call;
        call.method = static_cast<std::uint16_t>(i);
        for (std::uint8_t& seed : call.seeds)
          seed = attempt == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(random() % 16);
        test.suffixes = {{call}};
        batch.tests.push_back(test);
        batch.orders.push_back({0});
      }
      auto results = worker_.run(batch, settings);
      if (!results) return tl::unexpected(results.error());
      outcome_.totals.sequences += results->size();
      // If little time is left, do not wait for them again.
      const bool is_short = elapsed() > options_.seconds * kProbeShare / 2 && options_.seconds > 0;
      for (std::size_t i = 0; i < results->size(); ++i) {
        remember(batch.tests[i], 0, (*results)[i]);
        if (attempt > 0 || !is_short || (*results)[i].failure != FailureKind::kHang) continue;
        late.insert(batch.tests[i].suffixes[0][0].method);
        remember(batch.tests[i], 0, (*results)[i]);
      }
      learn();
      if (is_cut()) return {};
    }
  }
  return {};
}

}  // namespace snag::gen
