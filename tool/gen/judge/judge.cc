#include "tool/gen/judge/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "tool/gen/judge/linearize.h"

namespace snag::gen {
namespace {

constexpr std::size_t kOrdersAtATime = 64;

// A broken heap shows as a heap error or as a crash, depending on chance.
bool is_like(ViolationKind a, ViolationKind b) {
  const auto crashes = [](ViolationKind kind) {
    return kind == ViolationKind::kCrash || kind == ViolationKind::kHeap;
  };
  return a == b || (crashes(a) && crashes(b));
}

Linearization linearization_of(const Order& order, const TestResult& result) {
  Linearization made;
  made.order = order;
  if (result.failed) {
    made.failure = result.failure;
    made.message = result.message;
    made.states = result.states;
    made.observing = result.observing;
  } else if (!result.outcomes.empty()) {
    made.finished = true;
    made.outcome = result.outcomes.front();
  }
  return made;
}

std::set<std::string> thrown_types(const TestOutcome& outcome) {
  std::set<std::string> types;
  for (const CallResult& call : outcome.calls) {
    if (call.thrown) types.insert(call.compared);
  }
  return types;
}

std::vector<Linearization> values(const std::map<Order, Linearization>& known) {
  std::vector<Linearization> all;
  for (const auto& [order, linearization] : known) all.push_back(linearization);
  return all;
}

}  // namespace

ViolationKind violation_kind(FailureKind failure) {
  if (never_ends(failure)) return ViolationKind::kStuck;
  switch (failure) {
    case FailureKind::kHeap:
      return ViolationKind::kHeap;
    case FailureKind::kRace:
      return ViolationKind::kRace;
    case FailureKind::kLockMisuse:
      return ViolationKind::kLocks;
    case FailureKind::kExit:
      return ViolationKind::kExit;
    default:
      return ViolationKind::kCrash;
  }
}

const CallResult* unexpected_throw(const Violation& violation) {
  if (violation.kind != ViolationKind::kException) return nullptr;
  for (const CallResult& call : violation.outcome.calls) {
    if (call.thrown && call.compared == violation.message) return &call;
  }
  return nullptr;
}

bool is_enabled(ViolationKind kind, const OracleOptions& options) {
  switch (kind) {
    case ViolationKind::kException:
      return options.exceptions;
    case ViolationKind::kCrash:
    case ViolationKind::kExit:
      return options.crashes;
    case ViolationKind::kStuck:
      return options.deadlocks;
    case ViolationKind::kHeap:
      return options.heap;
    case ViolationKind::kRace:
      return options.races;
    case ViolationKind::kLocks:
      return options.locks;
    case ViolationKind::kResult:
      return options.results;
  }
  return false;
}

Oracle::Judgement Oracle::unjudged_test() {
  ++unjudged_;
  return {};
}

Expected<Oracle::Ran> Oracle::run_orders(const std::vector<WantedOrder>& wanted,
                                         const WorkerSettings& settings) {
  for (std::size_t at = 0; at < wanted.size(); at += kMaxTests) {
    const std::size_t end = std::min<std::size_t>(wanted.size(), at + kMaxTests);
    Batch batch;
    batch.mode = Mode::kOrdered;
    for (std::size_t i = at; i < end; ++i) {
      batch.tests.push_back(*wanted[i].test);
      batch.orders.push_back(wanted[i].order);
    }
    auto results = worker_.run(batch, settings);
    if (!results) return tl::unexpected(results.error());
    if (worker_.was_cut()) return Ran::kCut;
    linearizations_run_ += results->size();
    for (std::size_t i = at; i < end; ++i)
      (*wanted[i].known)[wanted[i].order] = linearization_of(wanted[i].order, (*results)[i - at]);
  }
  return Ran::kAll;
}

Expected<Oracle::Ran> Oracle::run_orders(const Test& test, const std::vector<Order>& orders,
                                         const WorkerSettings& settings, Known& known) {
  std::vector<WantedOrder> wanted;
  for (const Order& order : orders) {
    if (known.count(order) == 0) wanted.push_back({&test, order, &known});
  }
  return run_orders(wanted, settings);
}

// The orders to try in this round, the most promising first: those in which the calls ended and
// began; then all others, twice as many in each round.
std::vector<Order> Oracle::next_orders(const Test& test, const TestResult& result, int round,
                                       const Known& known) const {
  std::vector<Order> wanted;
  if (round < 2) {
    for (const TestOutcome& outcome : result.outcomes) {
      if (is_explained(outcome, known)) continue;
      const Order order =
          round == 0 ? order_of_ends(test, outcome) : order_of_begins(test, outcome);
      if (known.count(order) == 0 && std::count(wanted.begin(), wanted.end(), order) == 0)
        wanted.push_back(order);
    }
    return wanted;
  }
  const std::vector<std::size_t> sizes = suffix_sizes(test);
  const std::size_t most = std::size_t{16} << (round - 2);
  if (order_count(sizes, kMostOrders + 1) > kMostOrders) return wanted;
  for (const Order& order : all_orders(sizes, kMostOrders)) {
    if (wanted.size() == most) break;
    if (known.count(order) == 0) wanted.push_back(order);
  }
  return wanted;
}

Expected<std::vector<std::optional<Violation>>> Oracle::judge(
    const std::vector<Test>& tests, const std::vector<TestResult>& results,
    const WorkerSettings& settings) {
  // Each round covers all tests, so that the worker gets few, large batches.
  std::vector<Known> known(tests.size());
  std::vector<std::size_t> open(tests.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  for (int round = 0; !open.empty(); ++round) {
    std::vector<WantedOrder> wanted;
    std::vector<std::size_t> still_open;
    for (const std::size_t i : open) {
      const auto& outcomes = results[i].outcomes;
      if (std::all_of(outcomes.begin(), outcomes.end(),
                      [&](const TestOutcome& o) { return is_explained(o, known[i]); }))
        continue;
      const std::vector<Order> orders = next_orders(tests[i], results[i], round, known[i]);
      if (orders.empty() && round >= 2) continue;  // all were tried
      still_open.push_back(i);
      for (const Order& order : orders) wanted.push_back({&tests[i], order, &known[i]});
    }
    const auto ran = run_orders(wanted, settings);
    if (!ran) return tl::unexpected(ran.error());
    if (*ran == Ran::kCut) return std::vector<std::optional<Violation>>();
    open = std::move(still_open);
  }
  std::vector<std::optional<Violation>> violations;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    auto judged = judge_one(tests[i], results[i], settings, known[i]);
    if (!judged) return tl::unexpected(judged.error());
    if (judged->ran == Ran::kCut) break;
    violations.push_back(std::move(judged->violation));
  }
  return violations;
}

Expected<Oracle::Judgement> Oracle::judge_one(const Test& test, const TestResult& result,
                                              const WorkerSettings& settings, Known& known) {
  if (result.failed) {
    if (has_trait(result.failure, kNotOfProgram)) {
      ++unjudged_;
      unsupported_ = result.message;
    } else {
      auto failed = judge_failure(test, result, settings, known);
      if (!failed || failed->ran == Ran::kCut || failed->violation) return failed;
    }
  }
  return judge_outcomes(test, result, settings, known);
}

// Without `results`, only exceptions of a type that no order throws need an explanation.
bool Oracle::is_explained(const TestOutcome& outcome, const Known& known) const {
  if (!options_.results) {
    if (!options_.exceptions) return true;
    std::set<std::string> left = thrown_types(outcome);
    for (const auto& [order, linearization] : known) {
      for (const std::string& type : thrown_types(linearization.outcome)) left.erase(type);
    }
    return left.empty();
  }
  if (!options_.exceptions && !thrown_types(outcome).empty()) return true;
  return std::any_of(known.begin(), known.end(), [&](const auto& entry) {
    return entry.second.finished && entry.second.outcome.hash == outcome.hash;
  });
}

Expected<Oracle::Judgement> Oracle::judge_outcomes(const Test& test, const TestResult& result,
                                                   const WorkerSettings& settings, Known& known) {
  const auto unexplained =
      std::find_if(result.outcomes.begin(), result.outcomes.end(),
                   [&](const TestOutcome& outcome) { return !is_explained(outcome, known); });
  if (unexplained == result.outcomes.end()) return Judgement();
  // judge() has tried all orders, unless there are too many.
  if (order_count(suffix_sizes(test), kMostOrders + 1) > kMostOrders) {
    return unjudged_test();
  }
  const bool any_finished = std::any_of(known.begin(), known.end(),
                                        [](const auto& entry) { return entry.second.finished; });
  if (learn_observers(known, settings) || !any_finished) {
    return unjudged_test();
  }
  const auto again = repeat(test, settings, known);
  if (!again) return tl::unexpected(again.error());
  if (again->ran == Ran::kCut) return cut();
  if (!again->is_same) return unjudged_test();
  Violation violation;
  violation.test = test;
  violation.outcome = *unexplained;
  violation.linearizations = values(known);
  std::set<std::string> types = thrown_types(*unexplained);
  for (const Linearization& linearization : violation.linearizations) {
    for (const std::string& type : thrown_types(linearization.outcome)) types.erase(type);
  }
  violation.kind = types.empty() ? ViolationKind::kResult : ViolationKind::kException;
  if (!types.empty()) violation.message = *types.begin();
  return Judgement{Ran::kAll, std::move(violation)};
}

Expected<Oracle::Judgement> Oracle::judge_failure(const Test& test, const TestResult& result,
                                                  const WorkerSettings& settings, Known& known) {
  const ViolationKind kind = violation_kind(result.failure);
  if (!is_enabled(kind, options_)) return Judgement();
  const auto begun = [&](std::size_t i) {
    return i < result.states.size() && result.states[i] != CallState::kNotMade;
  };
  bool any_begun = false;
  for (std::size_t i = test.prefix.size(); i < test.calls(); ++i) any_begun |= begun(i);
  if (!any_begun) return Judgement();  // it failed in the prefix, where nothing is concurrent
  if (kind == ViolationKind::kStuck) return judge_stuck(test, result, settings);
  const std::vector<std::size_t> sizes = suffix_sizes(test);
  if (order_count(sizes, kMostOrders + 1) > kMostOrders) {
    return unjudged_test();
  }
  const std::vector<Order> orders = all_orders(sizes, kMostOrders);
  for (std::size_t at = 0; at < orders.size(); at += kOrdersAtATime) {
    const auto begin = orders.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end =
        orders.begin() + static_cast<std::ptrdiff_t>(std::min(orders.size(), at + kOrdersAtATime));
    const auto ran = run_orders(test, {begin, end}, settings, known);
    if (!ran) return tl::unexpected(ran.error());
    if (*ran == Ran::kCut) return cut();
    for (const auto& [order, linearization] : known) {
      if (linearization.finished || !is_like(violation_kind(linearization.failure), kind)) continue;
      learn_observers(known, settings);
      return Judgement();
    }
  }
  // No order finishes: the calls need each other. A race is a violation even then.
  const bool any_finished = std::any_of(known.begin(), known.end(),
                                        [](const auto& entry) { return entry.second.finished; });
  if (!any_finished && kind != ViolationKind::kRace) {
    return unjudged_test();
  }
  Violation violation;
  violation.kind = kind;
  violation.failure = result.failure;
  violation.test = test;
  violation.message = result.message;
  violation.states = result.states;
  violation.linearizations = values(known);
  return Judgement{Ran::kAll, std::move(violation)};
}

namespace {

// How many calls of each thread ended.
std::vector<std::size_t> ended_calls(const Test& test, const std::vector<CallState>& states) {
  std::vector<std::size_t> ended;
  std::size_t record = test.prefix.size();
  for (const auto& suffix : test.suffixes) {
    std::size_t done = 0;
    for (std::size_t i = 0; i < suffix.size(); ++i, ++record)
      done += record < states.size() && states[record] == CallState::kDone;
    ended.push_back(done);
  }
  return ended;
}

// All ways to continue by `more` calls of all threads together.
void later_counts(const std::vector<std::size_t>& sizes, std::size_t more, std::size_t thread,
                  std::vector<std::size_t>& counts, std::vector<std::vector<std::size_t>>& all) {
  if (thread == sizes.size()) {
    if (more == 0) all.push_back(counts);
    return;
  }
  const std::size_t begin = counts[thread];
  for (std::size_t i = 0; i <= more && begin + i <= sizes[thread]; ++i) {
    counts[thread] = begin + i;
    later_counts(sizes, more - i, thread + 1, counts, all);
  }
  counts[thread] = begin;
}

}  // namespace

// Is there an order of the first counts[i] calls of each thread i after which every next call
// blocks?
Expected<Oracle::Stuck> Oracle::stuck_after(const Test& test,
                                            const std::vector<std::size_t>& counts,
                                            const WorkerSettings& settings, Known& known) {
  const std::vector<std::size_t> sizes = suffix_sizes(test);
  std::vector<std::uint8_t> waiting;  // threads with a call left
  for (std::size_t thread = 0; thread < sizes.size(); ++thread) {
    if (counts[thread] < sizes[thread]) waiting.push_back(static_cast<std::uint8_t>(thread));
  }
  const std::vector<Order> before = all_orders(counts, kMostOrders);
  std::vector<Order> orders;
  const auto with_next = [&](const Order& order) {
    std::vector<Order> made;
    for (const std::uint8_t thread : waiting) {
      made.push_back(order);
      made.back().push_back(thread);
    }
    if (waiting.empty()) made.push_back(order);
    return made;
  };
  for (const Order& order : before) {
    const std::vector<Order> some = with_next(order);
    orders.insert(orders.end(), some.begin(), some.end());
  }
  const auto ran = run_orders(test, orders, settings, known);
  if (!ran) return tl::unexpected(ran.error());
  Stuck stuck;
  stuck.ran = *ran;
  if (*ran == Ran::kCut) return stuck;
  for (const Order& order : before) {
    bool is_possible = true, all_wait = true;
    for (const Order& made : with_next(order)) {
      const Linearization& linearization = known.at(made);
      std::size_t done = made.size(), running = 0;
      if (!linearization.finished) {
        const auto ended = ended_calls(test, linearization.states);
        done = std::accumulate(ended.begin(), ended.end(), std::size_t{0});
        for (std::size_t i = test.prefix.size(); i < test.calls(); ++i)
          running +=
              i < linearization.states.size() && linearization.states[i] == CallState::kRunning;
      }
      const bool waits =
          !linearization.finished && violation_kind(linearization.failure) == ViolationKind::kStuck;
      is_possible &= done >= order.size();
      all_wait &= waits && (waiting.empty() || running > 0);
    }
    stuck.is_possible |= is_possible;
    stuck.is_explained |= is_possible && all_wait;
  }
  return stuck;
}

// A thread that had not finished its calls was either blocked, or still running. In the latter case
// it makes more calls before all block, so orders with more calls are tried, too.
Expected<Oracle::Judgement> Oracle::judge_stuck(const Test& test, const TestResult& result,
                                                const WorkerSettings& settings) {
  const std::vector<std::size_t> sizes = suffix_sizes(test);
  std::vector<std::size_t> ended = ended_calls(test, result.states);
  const std::size_t all = test.suffix_calls();
  const std::size_t begun = std::accumulate(ended.begin(), ended.end(), std::size_t{0});
  Known known;
  bool any_possible = false;
  for (std::size_t more = 0; begun + more <= all; ++more) {
    std::vector<std::vector<std::size_t>> later;
    later_counts(sizes, more, 0, ended, later);
    for (const std::vector<std::size_t>& counts : later) {
      if (known.size() + order_count(counts, kMostOrders) > kMostOrders) {
        return unjudged_test();
      }
      auto stuck = stuck_after(test, counts, settings, known);
      if (!stuck) return tl::unexpected(stuck.error());
      if (stuck->ran == Ran::kCut) return cut();
      any_possible |= stuck->is_possible;
      if (stuck->is_explained) {
        learn_observers(known, settings);
        return Judgement();
      }
    }
  }
  if (!any_possible) {
    return unjudged_test();
  }
  Violation violation;
  violation.kind = ViolationKind::kStuck;
  violation.failure = result.failure;
  violation.test = test;
  violation.message = result.message;
  violation.states = result.states;
  violation.linearizations = values(known);
  return Judgement{Ran::kAll, std::move(violation)};
}

// Calls with another result when made in the same order again differ for reasons other than
// threads.
Expected<Oracle::Repeated> Oracle::repeat(const Test& test, const WorkerSettings& settings,
                                          const Known& known) {
  std::vector<Order> orders;
  for (const auto& [order, linearization] : known) {
    if (linearization.finished) orders.push_back(order);
  }
  // Reversed, so that different orders run before each of them than the first time.
  std::reverse(orders.begin(), orders.end());
  Known again;
  const auto ran = run_orders(test, orders, settings, again);
  if (!ran) return tl::unexpected(ran.error());
  if (*ran == Ran::kCut) return Repeated{Ran::kCut, false};
  std::set<std::uint16_t> changing;
  for (const Order& order : orders) {
    const auto& first = known.at(order).outcome.calls;
    const auto& second = again.at(order).outcome.calls;
    for (std::size_t i = 0; i < first.size() && i < second.size(); ++i) {
      if (first[i].hash == second[i].hash) continue;
      if (i < test.prefix.size()) {
        changing.insert(test.prefix[i].method);
      } else if (i < test.calls()) {
        changing.insert(test.suffix_call(i - test.prefix.size()).method);
      } else if (!settings.observers.empty()) {
        changing.insert(settings.observers[(i - test.calls()) % settings.observers.size()]);
      }
    }
  }
  for (const std::uint16_t method : changing) lessons_.changing_methods.push_back(method);
  return Repeated{Ran::kAll, changing.empty()};
}

bool Oracle::learn_observers(const Known& known, const WorkerSettings& settings) {
  bool any = false;
  for (const auto& [order, linearization] : known) {
    const std::uint32_t observing = linearization.observing;
    if (linearization.finished || observing == 0 || observing > settings.observers.size()) continue;
    lessons_.hostile_observers.push_back(settings.observers[observing - 1]);
    any = true;
  }
  return any;
}

}  // namespace snag::gen
