#include "tool/active/confirm/happened.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace snag::active {
namespace {

using session::FailedRun;

// Which sides of the candidate the steps of a run are at.
class SidesOfSteps {
 public:
  SidesOfSteps(const Candidate& candidate, const FailedRun& run)
      : candidate_(candidate), run_(run) {}

  // A bit for each side.
  std::uint32_t of_step(std::size_t step) {
    const std::uint64_t pc = run_.steps[step].pc;
    const std::uint32_t sides = of_pc(pc);
    if (sides == 0 || run_.frames.empty()) return sides;
    return of(run_.modules.to_module_pc(pc), run_.callers(step));
  }

  std::uint32_t of_pc(std::uint64_t pc) {
    const auto [known, is_new] = by_pc_.try_emplace(pc, 0);
    if (is_new) known->second = of(run_.modules.to_module_pc(pc), {});
    return known->second;
  }

 private:
  std::uint32_t of(ModulePc pc, std::span<const std::uint64_t> callers) const {
    std::uint32_t sides = 0;
    for (std::size_t i = 0; i < candidate_.sides.size(); ++i) {
      const auto& places = candidate_.sides[i].places;
      if (std::any_of(places.begin(), places.end(),
                      [&](const CodePlace& place) { return is_at(place, pc, callers); }))
        sides |= 1u << i;
    }
    return sides;
  }

  bool is_at(const CodePlace& place, ModulePc pc, std::span<const std::uint64_t> callers) const {
    if (place.empty() || place.front() != pc) return false;
    for (std::size_t i = 1; i < place.size() && i < kStepFrames && i <= callers.size(); ++i) {
      if (callers[i - 1] == 0) break;  // past the outermost frame
      if (run_.modules.to_module_pc(callers[i - 1]) != place[i]) return false;
    }
    return true;
  }

  const Candidate& candidate_;
  const FailedRun& run_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_pc_;
};

constexpr std::uint32_t kFirst = 1, kSecond = 2, kBetween = 4, kBetweenToo = 8;

// What a thread waits for between its first access and its second.
struct Window {
  bool is_open = false, is_disturbed = false;
  std::uint64_t object = 0;
  std::set<Tid> begun_by;  // of two accesses in between: threads that made the first
};

}  // namespace

bool came_between(const Candidate& candidate, const FailedRun& run) {
  SidesOfSteps sides_of(candidate, run);
  const bool two_between = candidate.sides.size() > 3;
  std::map<Tid, Window> windows;
  const auto fits = [&](const Window& window, std::uint64_t object) {
    return window.is_open && (candidate.any_memory || window.object == object);
  };
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const std::uint32_t sides = sides_of.of_step(i);
    if (sides == 0) continue;
    const Step& step = run.steps[i];
    for (auto& [thread, window] : windows) {
      if (thread == step.thread || !fits(window, step.object)) continue;
      if (!two_between) {
        window.is_disturbed = window.is_disturbed || (sides & kBetween) != 0;
        continue;
      }
      if ((sides & kBetweenToo) != 0 && window.begun_by.contains(step.thread))
        window.is_disturbed = true;
      if ((sides & kBetween) != 0) window.begun_by.insert(step.thread);
    }
    Window& own = windows[step.thread];
    if ((sides & kSecond) != 0) {
      if (own.is_disturbed && fits(own, step.object)) return true;
      own = {};
    }
    if ((sides & kFirst) != 0) own = {true, false, step.object, {}};
  }
  // The second access may have been the end of the run.
  const ThreadReport* last = run.thread_report(run.thread);
  if (last == nullptr || !windows.contains(run.thread)) return false;
  return windows[run.thread].is_disturbed && (sides_of.of_pc(last->pending_pc) & kSecond) != 0;
}

bool made_in_order(const Candidate& candidate, const FailedRun& run, std::size_t first) {
  SidesOfSteps sides_of(candidate, run);
  const std::uint32_t before = 1u << first, after = 1u << (1 - first);
  Tid made_by = kNoTid;  // the first access; no other thread took a step since
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const Tid thread = run.steps[i].thread;
    const std::uint32_t sides = sides_of.of_step(i);
    if (made_by != kNoTid && thread != made_by && (sides & after) != 0) return true;
    if ((sides & before) != 0)
      made_by = thread;
    else if (thread != made_by)
      made_by = kNoTid;
  }
  return false;
}

}  // namespace snag::active
