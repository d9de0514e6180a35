#include "tool/history/start_join_order.h"

#include <algorithm>
#include <utility>

namespace snag::history {

StartJoinOrder::Clock StartJoinOrder::latest(Tid thread) const {
  const auto known = known_.find(thread);
  return known == known_.end() || known->second.empty() ? Clock() : known->second.back().clock;
}

void StartJoinOrder::create(Tid creator, std::uint32_t time, Tid child) {
  times_[creator] = time + 1;
  Clock clock = latest(creator);
  clock[creator] = time + 1;
  known_[child].push_back({0, std::move(clock)});
}

void StartJoinOrder::join(Tid joiner, std::uint32_t time, Tid ended) {
  times_[joiner] = time + 1;
  Clock clock = latest(joiner);
  for (const auto& [thread, known] : latest(ended)) {
    std::uint32_t& mine = clock[thread];
    mine = std::max(mine, known);
  }
  clock[ended] = UINT32_MAX;  // everything that it ever did
  known_[joiner].push_back({time + 1, std::move(clock)});
}

std::uint32_t StartJoinOrder::time(Tid thread) const {
  const auto found = times_.find(thread);
  return found == times_.end() ? 0 : found->second;
}

bool StartJoinOrder::is_before(Tid earlier, std::uint32_t then, Tid later,
                               std::uint32_t now) const {
  const auto known = known_.find(later);
  if (known == known_.end()) return false;
  for (auto entry = known->second.rbegin(); entry != known->second.rend(); ++entry) {
    if (entry->since > now) continue;
    const auto time = entry->clock.find(earlier);
    return time != entry->clock.end() && time->second > then;
  }
  return false;
}

}  // namespace snag::history
