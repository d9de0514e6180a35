#include "tool/history/held_locks.h"

#include <algorithm>

namespace snag::history {
namespace {

// Beyond, the clocks would take more memory than they are worth: nothing is known to be ordered.
constexpr std::size_t kMostThreads = 512;

// Enough to get from a lock of the C++ library, not inlined, to the program's own code.
constexpr std::uint32_t kLockCallers = 4;

}  // namespace

void HeldLocks::follow(const TraceEvent& event, std::uint32_t index) {
  stacks_.follow(event);
  if (event.kind == TraceKind::kAcquire) {
    const bool exclusive = event.detail != static_cast<std::uint8_t>(TraceLock::kRwRead);
    held_[event.thread].push_back(
        {event.address, stacks_.location(event, kLockCallers), exclusive, index});
  } else if (event.kind == TraceKind::kRelease) {
    std::vector<HeldLock>& held = held_[event.thread];
    const auto last = std::find_if(held.rbegin(), held.rend(), [&](const HeldLock& lock) {
      return lock.address == event.address;
    });
    if (last != held.rend()) held.erase(std::next(last).base());
  }
}

const std::vector<HeldLock>& HeldLocks::of(Tid thread) const {
  static const std::vector<HeldLock> none;
  const auto found = held_.find(thread);
  return found == held_.end() ? none : found->second;
}

ThreadOrder::Clock& ThreadOrder::advance(Tid thread) {
  std::vector<Clock>& at = threads_[thread].at;
  if (at.empty()) at.emplace_back();
  at.push_back(at.back());
  return at.back();
}

void ThreadOrder::follow(const TraceEvent& event) {
  const bool is_create = event.kind == TraceKind::kThreadCreate;
  if ((!is_create && event.kind != TraceKind::kThreadJoin) || threads_.size() > kMostThreads)
    return;
  const auto other = static_cast<Tid>(event.address);
  const auto knows = [&](Tid who) {  // all that it has done or knows so far
    Clock clock = threads_[who].at.empty() ? Clock{} : threads_[who].at.back();
    clock[who] = time(who);
    return clock;
  };
  if (is_create) {
    const Clock creator = knows(event.thread);
    threads_[other].at = {creator};
    advance(event.thread);
  } else {
    const Clock ended = knows(other);
    Clock& mine = advance(event.thread);
    for (const auto& [thread, time] : ended) mine[thread] = std::max(mine[thread], time);
  }
}

std::uint32_t ThreadOrder::time(Tid thread) const {
  const auto found = threads_.find(thread);
  return found == threads_.end() || found->second.at.empty()
             ? 0
             : static_cast<std::uint32_t>(found->second.at.size() - 1);
}

bool ThreadOrder::is_before(Tid earlier, std::uint32_t then, Tid later, std::uint32_t now) const {
  const auto found = threads_.find(later);
  if (found == threads_.end() || now >= found->second.at.size()) return false;
  const Clock& clock = found->second.at[now];
  const auto known = clock.find(earlier);
  return known != clock.end() && then <= known->second;
}

}  // namespace snag::history
