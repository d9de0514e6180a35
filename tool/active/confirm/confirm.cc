#include "tool/active/confirm/confirm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "tool/active/candidates/raced_variable.h"
#include "tool/active/confirm/happened.h"
#include "tool/base/number_text.h"

namespace snag::active {
namespace {

using session::FailedRun;

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

bool are_at(const Candidate& race, ModulePc a, ModulePc b) {
  const std::vector<Side>& sides = race.sides;
  return (has_place(sides[0], a) && has_place(sides[1], b)) ||
         (has_place(sides[0], b) && has_place(sides[1], a));
}

// The same place may use several variables.
bool is_of_variable(const Candidate& race, const FailedRun& run, binary::Symbolizer& symbolizer) {
  return race.variable.empty() || raced_variable(run, symbolizer) == race.variable;
}

// Where one side gives the memory back, the other one may come first, which is a race, or come too
// late.
bool is_the_race(const Candidate& candidate, const FailedRun& run, binary::Symbolizer& symbolizer) {
  if (run.kind == FailureKind::kRace && run.race) {
    return are_at(candidate, run.modules.to_module_pc(run.race->first.stack[0]),
                  run.modules.to_module_pc(run.race->second.stack[0])) &&
           is_of_variable(candidate, run, symbolizer);
  }
  if (run.kind != FailureKind::kHeap || !run.heap || run.heap->access.depth == 0) return false;
  const MemoryReport& memory = run.heap->memory;
  const ModulePc late = run.modules.to_module_pc(run.heap->access.stack[0]);
  for (std::uint16_t i = 0; i < memory.free_depth && i < kMaxStackDepth; ++i) {
    if (are_at(candidate, late, run.modules.to_module_pc(memory.free_stack[i]))) return true;
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

// A check that failed is where the candidate says. One that a test framework only counts shows as
// an exit with an error, and the framework's output says where it was.
bool is_the_assertion(const Candidate& candidate, const FailedRun& run,
                      binary::Symbolizer& symbolizer) {
  const bool is_named = candidate.is_counted && names(run.output, candidate.location);
  if (run.kind == FailureKind::kExit) return is_named;
  if (run.kind == FailureKind::kReported && is_named) return true;
  if (run.kind != FailureKind::kReported && run.kind != FailureKind::kAssert &&
      run.kind != FailureKind::kAbort && run.kind != FailureKind::kException)
    return false;
  const ThreadReport* thread = run.thread_report(run.thread);
  return thread != nullptr && explore::thread_place(run, *thread, symbolizer) == candidate.location;
}

}  // namespace

bool is_of_program(FailureKind kind) {
  return kind != FailureKind::kUnsupported && kind != FailureKind::kInternal &&
         kind != FailureKind::kRace && kind != FailureKind::kCovered;
}

bool names(const std::string& output, const std::string& location) {
  const auto is_part = [&](std::size_t at, auto is_more) {
    return at < output.size() && is_more(static_cast<unsigned char>(output[at]));
  };
  for (std::size_t at = output.find(location); at != std::string::npos;
       at = output.find(location, at + 1)) {
    const bool begins_before =
        at > 0 && is_part(at - 1, [](int c) { return std::isalnum(c) || c == '_' || c == '-'; });
    const bool goes_on = is_part(at + location.size(), [](int c) { return std::isdigit(c) != 0; });
    if (!begins_before && !goes_on) return true;
  }
  return false;
}

bool happened_in(const Candidate& candidate, const FailedRun& run, binary::Symbolizer& symbolizer) {
  switch (candidate.kind) {
    case Kind::kRace:
      return is_the_race(candidate, run, symbolizer);
    case Kind::kDeadlock:
      return is_the_deadlock(candidate, run);
    case Kind::kAtomicity:
      return is_wrong_result(run.kind) && came_between(candidate, run);
    case Kind::kAssertion:
      return is_the_assertion(candidate, run, symbolizer);
  }
  return false;
}

explore::ExploreOptions options_for(const Candidate& candidate, const ConfirmOptions& options) {
  explore::ExploreOptions explore = options.explore;
  const bool by_paper = candidate.kind == Kind::kAssertion && options.by_paper;
  explore.strategy = by_paper ? StrategyKind::kBreakpoints : StrategyKind::kDirected;
  explore.directed = directed_of(candidate);
  explore.points_at = points_of(candidate);
  explore.races = Races::kOff;
  explore.lock_order = false;
  explore.jobs = 1;
  explore.keep_going = true;
  return explore;
}

Expected<Attempt> try_to_confirm(const Candidate& candidate, const ConfirmOptions& options,
                                 binary::Symbolizer& symbolizer,
                                 const explore::ExploreHooks& hooks) {
  explore::ExploreOptions explore = options_for(candidate, options);
  if (candidate.kind == Kind::kRace) explore.races = Races::kFail;
  const auto is_it = [&](const FailedRun& run) {
    // Runs for a race tell no other one.
    if (candidate.kind == Kind::kRace && run.kind == FailureKind::kRace)
      return is_of_variable(candidate, run, symbolizer);
    if (!happened_in(candidate, run, symbolizer)) return false;
    return candidate.kind != Kind::kAtomicity || !options.comes_anyway(run);
  };
  explore.is_known = [&](const FailedRun& run) { return !is_it(run) && options.is_known(run); };
  explore.is_enough = is_it;
  explore::ExploreResult explored = explore::Explorer(explore, symbolizer, hooks).explore();
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
                  [](const suppress::Suppression& entry) {
                    return entry.matches > 0 && (entry.kind == suppress::SuppressionKind::kRace ||
                                                 entry.kind == suppress::SuppressionKind::kRaceTop);
                  });
  for (explore::Finding& finding : explored.findings) {
    // Asked again: only the replay knows the callers of the steps.
    if (!attempt.confirmed && finding.confirmed() && is_it(finding.run)) {
      attempt.confirmed = std::move(finding);
      continue;
    }
    if (finding.is_enough && !finding.confirmed())
      attempt.obstacles.replay_problem = finding.replay_problem;
    attempt.others.push_back(std::move(finding));
  }
  attempt.obstacles.failures = explored.totals.failures - (attempt.confirmed ? 1 : 0);
  return attempt;
}

std::string closest(const Candidate& candidate, const explore::DirectedTotals& reached,
                    const Obstacles& obstacles) {
  if (!obstacles.replay_problem.empty())
    return fmt::format("it happened, but did not come again: {}", obstacles.replay_problem);
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
      if (reached.happened > 0) {
        return obstacles.failures > 0
                   ? fmt::format(
                         "both threads stood there at the same time, and something else "
                         "failed then; it did in {} of the runs",
                         obstacles.failures)
                   : "both threads stood there at the same time, but that is no race: both "
                     "accesses are atomic, or of different bytes";
      }
      return "threads came to both places, but never at the same time before the same memory";
    case Kind::kDeadlock:
      if (reached.together >= sides) return "all threads stood there, but got their locks";
      return fmt::format("at most {} of {} threads stood there at the same time", reached.together,
                         sides);
    case Kind::kAtomicity:
      if (reached.together >= 2)
        return "the other thread came in between, but the second access did not follow";
      return reached.together == 0 ? "nobody made the first access while the other thread was near"
                                   : "the other thread never came in between";
    case Kind::kAssertion:
      return reached.happened > 0
                 ? fmt::format("in {} it was checked after chosen writes, and held",
                               counted(reached.happened, "run", "runs"))
                 : "no write came between its reads";
  }
  return "";
}

}  // namespace snag::active
