#include "tool/shrink/schedule_moves.h"

#include <algorithm>
#include <set>

#include "protocol/guide.h"
#include "protocol/random.h"

namespace snag::shrink {
namespace {

using Stretches = std::vector<Stretch>;

// Merges neighbouring stretches of the same thread.
Stretches normal(const Stretches& stretches) {
  Stretches result;
  for (const Stretch& stretch : stretches) {
    if (stretch.steps == 0) continue;
    if (result.empty() || result.back().thread != stretch.thread) {
      result.push_back(stretch);
    } else if (result.back().steps != kUntilBlocked) {
      const std::uint64_t sum = std::uint64_t{result.back().steps} + stretch.steps;
      result.back().steps = static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, kUntilBlocked));
    }
  }
  return result;
}

enum class At { kFirst, kLast };

// The window's stretches, with those of each thread moved together, to the place of its first or
// its last one.
Stretches grouped(const Stretches& stretches, std::size_t begin, std::size_t end, At at) {
  Stretches window(stretches.begin() + static_cast<long>(begin),
                   stretches.begin() + static_cast<long>(end));
  if (at == At::kLast) std::reverse(window.begin(), window.end());
  Stretches together;
  for (const Stretch& stretch : window) {
    const auto same = std::find_if(together.begin(), together.end(), [&](const Stretch& other) {
      return other.thread == stretch.thread;
    });
    if (same == together.end()) {
      together.push_back(stretch);
    } else {
      same->steps += stretch.steps;
    }
  }
  if (at == At::kLast) std::reverse(together.begin(), together.end());
  Stretches result(stretches.begin(), stretches.begin() + static_cast<long>(begin));
  result.insert(result.end(), together.begin(), together.end());
  result.insert(result.end(), stretches.begin() + static_cast<long>(end), stretches.end());
  return result;
}

std::uint64_t hash_of(const Stretches& stretches) {
  std::uint64_t hash = stretches.size();
  for (const Stretch& s : stretches) hash = mix64(hash ^ (std::uint64_t{s.thread} << 32 | s.steps));
  return hash;
}

}  // namespace

ScheduleMoves::ScheduleMoves(GuidedRunner& runner, TargetSchedule start,
                             std::function<void(const TargetSchedule&)> improved)
    : runner_(runner), improved_(std::move(improved)) {
  take(std::move(start));
}

void ScheduleMoves::take(TargetSchedule better) {
  best_ = std::move(better);
  best_.end_with_it = false;
  cost_ = cost_of(best_.stretches);
}

ScheduleMoves::Outcome ScheduleMoves::attempt(Stretches stretches) {
  stretches = normal(stretches);
  if (no_more_runs_) return Outcome::kNoMoreRuns;
  if (!tried_.insert(hash_of(stretches)).second) return Outcome::kNothing;
  const auto log = runner_.run({std::move(stretches), best_.choices, false});
  if (!log) {
    no_more_runs_ = true;
    return Outcome::kNoMoreRuns;
  }
  if (!log->same_failure) return Outcome::kNothing;
  TargetSchedule result = target_of(*log);
  if (cost_of(result.stretches) >= cost_) return Outcome::kNothing;
  take(std::move(result));
  improved_(best_);
  return Outcome::kImproved;
}

bool ScheduleMoves::shrink() {
  bool again = true;
  while (again && !no_more_runs_) {
    // Each of them in turn: the fine ones may still improve what the coarse ones left.
    again = group_windows();
    again = leave_out_threads() || again;
    again = cut_tail() || again;
    again = change_stretches() || again;
  }
  return !no_more_runs_;
}

bool ScheduleMoves::group_windows() {
  bool improved = false;
  for (std::size_t size = best_.stretches.size(); size >= 3 && !no_more_runs_;
       size = size * 2 / 3) {
    const std::size_t stride = std::max<std::size_t>(1, size / 4);
    for (std::size_t begin = 0; begin + 2 < best_.stretches.size() && !no_more_runs_;) {
      const std::size_t end = std::min(begin + size, best_.stretches.size());
      const bool helped =
          attempt(grouped(best_.stretches, begin, end, At::kFirst)) == Outcome::kImproved ||
          attempt(grouped(best_.stretches, begin, end, At::kLast)) == Outcome::kImproved;
      improved = improved || helped;
      if (!helped) begin += stride;  // otherwise try the same place again
    }
  }
  return improved;
}

bool ScheduleMoves::leave_out_threads() {
  std::set<Tid> threads;
  for (const Stretch& stretch : best_.stretches) threads.insert(stretch.thread);
  bool improved = false;
  for (const Tid thread : threads) {
    Stretches others = best_.stretches;
    std::erase_if(others, [&](const Stretch& stretch) { return stretch.thread == thread; });
    improved = attempt(std::move(others)) == Outcome::kImproved || improved;
  }
  return improved;
}

bool ScheduleMoves::cut_tail() {
  bool improved = false;
  for (std::size_t keep = 0; keep < best_.stretches.size() && !no_more_runs_;
       keep = keep * 5 / 4 + 1) {
    Stretches begin(best_.stretches.begin(), best_.stretches.begin() + static_cast<long>(keep));
    improved = attempt(std::move(begin)) == Outcome::kImproved || improved;
  }
  return improved;
}

bool ScheduleMoves::change_stretches() {
  bool improved = false;
  for (std::size_t i = 0; i < best_.stretches.size() && !no_more_runs_;) {
    if (change_stretch(i)) {
      improved = true;
    } else {
      ++i;
    }
  }
  return improved;
}

bool ScheduleMoves::change_stretch(std::size_t index) {
  const Stretches& now = best_.stretches;
  const auto changed = [&](const std::function<void(Stretches&)>& change) {
    Stretches other = now;
    change(other);
    return attempt(std::move(other)) == Outcome::kImproved;
  };
  const std::uint32_t steps = now[index].steps;
  if (changed([&](Stretches& s) { s[index].steps = kUntilBlocked; })) return true;
  if (changed([&](Stretches& s) { s[index].steps = 0; })) return true;
  for (std::size_t next = index + 1; next < now.size(); ++next) {
    if (now[next].thread != now[index].thread) continue;
    const auto join = [&](std::size_t to, std::size_t from) {
      return changed([&](Stretches& s) {
        s[to].steps += s[from].steps;
        s[from].steps = 0;
      });
    };
    if (join(index, next) || join(next, index)) return true;
    break;
  }
  for (std::uint32_t less = steps / 2; less > 0; less /= 2) {
    if (changed([&](Stretches& s) { s[index].steps -= less; })) return true;
  }
  return false;
}

}  // namespace snag::shrink
