#include "tool/shrink/guided_run.h"

#include <set>

namespace snag::shrink {

TargetSchedule target_of(const GuidedLog& log) {
  TargetSchedule target;
  for (const Step& step : log.steps) {
    if (target.stretches.empty() || target.stretches.back().thread != step.thread)
      target.stretches.push_back({step.thread, 0, 0});
    ++target.stretches.back().steps;
  }
  target.choices.assign(log.choices.begin(), log.choices.end());
  target.event_hash = log.event_hash;
  return target;
}

ScheduleCost cost_of(std::span<const Stretch> stretches) {
  ScheduleCost cost;
  std::set<Tid> threads;
  for (const Stretch& stretch : stretches) {
    threads.insert(stretch.thread);
    cost.steps += stretch.steps;
  }
  cost.switches = stretches.empty() ? 0 : stretches.size() - 1;
  cost.threads = threads.size();
  return cost;
}

}  // namespace snag::shrink
