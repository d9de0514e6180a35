// The phases of shrinking, on whatever runs the schedules: a short search among schedules with few
// switches, changes to the known schedule, other ways on from its beginnings, and a search among
// all schedules with fewer switches.
#pragma once

#include "tool/shrink/schedule_moves.h"
#include "tool/shrink/switch_search.h"

namespace snag::shrink {

class ScheduleShrinker {
 public:
  struct Limits {
    std::size_t search_runs = SIZE_MAX;  // of the last search
    Thorough thorough = Thorough::kNo;   // the last search
  };

  // `start` is a schedule that fails; `improved` is called with each better one.
  ScheduleShrinker(GuidedRunner& runner, const TargetSchedule& start, Limits limits,
                   std::function<void(const TargetSchedule&)> improved)
      : runner_(runner), limits_(limits), moves_(runner, start, std::move(improved)) {}

  // Whether all schedules with fewer switches than the best one were tried.
  bool shrink();
  const TargetSchedule& best() const { return moves_.best(); }

 private:
  // True: the best schedule has the fewest switches of all.
  bool search_all(std::size_t limit, std::size_t runs, Thorough thorough);
  // Keeps a beginning and looks for another continuation; true if there is one.
  bool search_suffix(std::size_t kept);
  bool search_suffixes();

  GuidedRunner& runner_;
  Limits limits_;
  ScheduleMoves moves_;
};

}  // namespace snag::shrink
