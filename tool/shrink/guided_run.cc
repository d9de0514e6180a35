#include "tool/shrink/guided_run.h"

#include <set>

namespace snag::shrink {

Wish wish_of(const GuidedLog& log) {
  Wish wish;
  for (const Step& step : log.steps) {
    if (wish.stretches.empty() || wish.stretches.back().thread != step.thread)
      wish.stretches.push_back({step.thread, 0, 0});
    ++wish.stretches.back().steps;
  }
  wish.choices.assign(log.choices.begin(), log.choices.end());
  wish.event_hash = log.event_hash;
  return wish;
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
