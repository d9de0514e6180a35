#include "active/confirm.h"

#include <fmt/format.h>

#include <algorithm>

#include "active/raced_variable.h"
#include "engine/number_text.h"

namespace snag::active {
namespace {

using engine::FailedRun;

bool is_of_program(FailureKind kind) {
  return kind != FailureKind::kUnsupported && kind != FailureKind::kInternal &&
         kind != FailureKind::kRace && kind != FailureKind::kCovered;
}

// What an access in between can lead to; who waits for whom is another matter.
bool is_wrong_result(FailureKind kind) {
  return is_of_program(kind) && kind != FailureKind::kDeadlock &&
         kind != FailureKind::kLostWakeup && kind != FailureKind::kLivelock &&
         kind != FailureKind::kHang && kind != FailureKind::kLockMisuse;
}

bool has_place(const Side& side, ModulePc pc) {
  return std::any_of(side.places.begin(), side.places.end(),
                     [&](const CodePlace& place) { return place.front() == pc; });
}

// Where one side gives the memory back, the other one may come first, which is a race, or come too
// late.
bool is_the_race(const Candidate& candidate, const FailedRun& run, engine::Symbolizer& symbolizer) {
  // Others are not told, but the same place may use several variables.
  if (run.kind == FailureKind::kRace)
    return candidate.variable.empty() || raced_variable(run, symbolizer) == candidate.variable;
  if (run.kind != FailureKind::kHeap || !run.heap || run.heap->access.depth == 0) return false;
  const MemoryReport& memory = run.heap->memory;
  const ModulePc late = run.modules.to_module_pc(run.heap->access.stack[0]);
  for (std::uint16_t i = 0; i < memory.free_depth && i < kMaxStackDepth; ++i) {
    const ModulePc freed = run.modules.to_module_pc(memory.free_stack[i]);
    for (const std::size_t side : {0, 1}) {
      if (has_place(candidate.sides[side], late) && has_place(candidate.sides[1 - side], freed))
        return true;
    }
  }
  return false;
}

// The threads of a circle stand where the candidate says.
bool is_the_deadlock(const Candidate& candidate, const FailedRun& run) {
  if (run.kind != FailureKind::kDeadlock) return false;
  return std::all_of(candidate.sides.begin(), candidate.sides.end(), [&](const Side& side) {
    return std::any_of(run.threads.begin(), run.threads.end(), [&](const ThreadReport& thread) {
      const ModulePc pc = run.modules.to_module_pc(thread.pending_pc);
      return thread.in_cycle != 0 && has_place(side, pc);
    });
  });
}

// A check that failed is where the candidate says; one that a test framework only counts shows as
// an exit with an error.
bool is_the_assertion(const Candidate& candidate, const FailedRun& run,
                      engine::Symbolizer& symbolizer) {
  if (run.kind == FailureKind::kExit || run.kind == FailureKind::kReported)
    return candidate.is_counted;
  if (!is_of_program(run.kind)) return false;
  const ThreadReport* thread = run.thread_report(run.thread);
  if (thread == nullptr) return false;
  for (std::size_t i = 0; i < thread->depth; ++i) {
    for (const engine::Frame& frame : symbolizer.lookup(run.modules, thread->stack[i])) {
      if (fmt::format("{}:{}", engine::base_name(frame.file), frame.line) == candidate.location)
        return true;
    }
  }
  return false;
}

engine::ExploreOptions options_for(const Candidate& candidate, const ConfirmOptions& options) {
  engine::ExploreOptions explore = options.explore;
  const bool by_paper = candidate.kind == Kind::kAssertion && options.by_paper;
  explore.strategy = by_paper ? StrategyKind::kAssert : StrategyKind::kActive;
  explore.directed = directed_of(candidate);
  explore.points_at = points_of(candidate);
  explore.races = Races::kOff;
  explore.lock_order = false;
  explore.jobs = 1;
  explore.keep_going = true;
  return explore;
}

}  // namespace

engine::Expected<Attempt> try_to_confirm(const Candidate& candidate, const ConfirmOptions& options,
                                         engine::Symbolizer& symbolizer,
                                         const engine::ExploreHooks& hooks) {
  engine::ExploreOptions explore = options_for(candidate, options);
  if (candidate.kind == Kind::kRace) explore.races = Races::kFail;
  const auto is_it = [&](const FailedRun& run) {
    switch (candidate.kind) {
      case Kind::kRace:
        return is_the_race(candidate, run, symbolizer);
      case Kind::kDeadlock:
        return is_the_deadlock(candidate, run);
      case Kind::kAtomicity:
        return is_wrong_result(run.kind);
      case Kind::kAssertion:
        return is_the_assertion(candidate, run, symbolizer);
    }
    return false;
  };
  explore.is_enough = is_it;
  engine::ExploreResult explored = engine::Explorer(explore, symbolizer, hooks).explore();
  if (explored.error && explored.totals.runs == 0) return tl::unexpected(*explored.error);
  Attempt attempt;
  attempt.runs = explored.totals.runs;
  attempt.reached = explored.directed;
  attempt.interrupted = explored.interrupted;
  attempt.error = explored.error;
  // Of races no other one is told.
  attempt.suppressed =
      candidate.kind == Kind::kRace &&
      std::any_of(explored.suppressions.begin(), explored.suppressions.end(),
                  [](const engine::Suppression& entry) {
                    return entry.matches > 0 && (entry.kind == engine::SuppressionKind::kRace ||
                                                 entry.kind == engine::SuppressionKind::kRaceTop);
                  });
  for (engine::Finding& finding : explored.findings) {
    // A framework's output says which check it was.
    const bool is_elsewhere = candidate.kind == Kind::kAssertion &&
                              finding.run.kind == FailureKind::kExit &&
                              finding.output.find(candidate.location) == std::string::npos;
    // Without the accesses in between it is no violation of atomicity, but something else.
    const bool counts = candidate.kind != Kind::kAtomicity || attempt.reached.happened > 0;
    if (!attempt.confirmed && counts && !is_elsewhere && finding.confirmed() && is_it(finding.run))
      attempt.confirmed = std::move(finding);
    else
      attempt.others.push_back(std::move(finding));
  }
  return attempt;
}

namespace {

// Runs for each order of a race's accesses.
constexpr std::uint64_t kRunsPerOrder = 6;

// One run by itself, with what it printed; nothing: the accesses did not meet.
engine::Expected<std::optional<std::string>> output_of(const engine::ExploreOptions& explore,
                                                       std::uint64_t number) {
  engine::SessionOptions session_options;
  Config& config = session_options.config;
  config.strategy = explore.strategy;
  config.points = explore.points;
  config.backend = explore.backend;
  config.lock_misuse = explore.lock_misuse;
  config.heap = explore.heap_checks ? 1 : 0;
  config.keep_output = 1;
  config.seed = explore.seed;
  config.first_run = number;
  config.run_stride = 1;
  config.max_runs = 1;
  config.max_steps = explore.max_steps;
  config.preemption_bound = -1;
  config.directed = explore.directed;
  session_options.points = explore.points_at;
  session_options.hang_timeout = explore.hang_timeout;
  auto session = engine::Session::start(explore.program, session_options);
  if (!session) return tl::unexpected(session.error());
  for (;;) {
    const engine::Event event = (*session)->wait(engine::milliseconds(100));
    if (event == engine::Event::kNone) continue;
    if (event == engine::Event::kDied) return tl::unexpected((*session)->error());
    break;
  }
  const bool met = (*session)->shared().live.directed.happened.load() != 0;
  std::string output = (*session)->output_tail(64 * 1024);
  (*session)->quit();
  return met ? std::optional(std::move(output)) : std::nullopt;
}

}  // namespace

engine::Expected<Consequences> consequences_of(const Candidate& race, const ConfirmOptions& options,
                                               engine::Symbolizer& symbolizer,
                                               const engine::ExploreHooks& hooks) {
  Consequences result;
  engine::ExploreOptions explore = options_for(race, options);
  explore.runs = kRunsPerOrder;
  explore.first_run = 0;
  explore.is_enough = [](const FailedRun& run) { return is_of_program(run.kind); };
  for (const std::uint8_t order : {1, 2}) {
    explore.directed.order = order;
    engine::ExploreResult explored = engine::Explorer(explore, symbolizer, hooks).explore();
    if (explored.error && explored.totals.runs == 0) return tl::unexpected(*explored.error);
    for (engine::Finding& finding : explored.findings) {
      if (!is_of_program(finding.run.kind) || !finding.confirmed()) continue;
      result.harmful = true;
      result.text = fmt::format("harmful: where a thread first {}, the program fails",
                                race.sides[order - 1].text);
      result.failure = std::move(finding);
      return result;
    }
  }
  for (std::uint64_t number = 0; number < kRunsPerOrder; ++number) {
    std::optional<std::string> outputs[2];
    for (const std::uint8_t order : {1, 2}) {
      explore.directed.order = order;
      auto output = output_of(explore, number);
      if (!output) return tl::unexpected(output.error());
      outputs[order - 1] = std::move(*output);
    }
    if (!outputs[0] || !outputs[1] || *outputs[0] == *outputs[1]) continue;
    result.harmful = true;
    result.text = "harmful: the program's output depends on which of the two comes first";
    return result;
  }
  result.text = fmt::format(
      "no consequence seen: {} runs in each order of the two neither failed nor differed in output",
      kRunsPerOrder);
  return result;
}

std::string closest(const Candidate& candidate, const engine::DirectedTotals& reached) {
  const auto missing = [&] {
    std::string text;
    for (std::size_t i = 0; i < candidate.sides.size(); ++i) {
      if ((reached.arrived >> i & 1) == 0) return candidate.sides[i].text;
    }
    return text;
  }();
  if (!missing.empty()) return fmt::format("no thread came to where it {}", missing);
  const std::size_t sides = candidate.sides.size();
  switch (candidate.kind) {
    case Kind::kRace:
      if (reached.happened > 0) return "both threads stood there at the same time";
      return "threads came to both places, but never at the same time before the same memory";
    case Kind::kDeadlock:
      if (reached.together >= sides) return "all threads stood there, but got their locks";
      return fmt::format("at most {} of {} threads stood there at the same time", reached.together,
                         sides);
    case Kind::kAtomicity:
      if (reached.happened > 0)
        return fmt::format("it happened in {}, and nothing went wrong",
                           engine::counted(reached.happened, "run", "runs"));
      if (reached.together >= 2)
        return "the other thread came in between, but the second access did not follow";
      return reached.together == 0 ? "nobody made the first access while the other thread was near"
                                   : "the other thread never came in between";
    case Kind::kAssertion:
      return reached.happened > 0
                 ? fmt::format("in {} it was checked after chosen writes, and held",
                               engine::counted(reached.happened, "run", "runs"))
                 : "no write came between its reads";
  }
  return "";
}

}  // namespace snag::active
