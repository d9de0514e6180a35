#include "tool/history/held_locks.h"

#include <algorithm>

namespace snag::history {
namespace {

// Beyond this, the clocks would take too much memory: then nothing counts as ordered.
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

void follow_threads(StartJoinOrder& order, const TraceEvent& event) {
  if (order.threads() > kMostThreads) return;
  const auto other = static_cast<Tid>(event.address);
  const std::uint32_t time = order.time(event.thread);
  if (event.kind == TraceKind::kThreadCreate) order.create(event.thread, time, other);
  if (event.kind == TraceKind::kThreadJoin) order.join(event.thread, time, other);
}

}  // namespace snag::history
