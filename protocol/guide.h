// A schedule as a hint: followed as far as possible, never a reason to stop.
//
// Replays must be exact. Shrinking asks "what if this thread had simply continued?", and nobody
// knows in advance what follows such a change. So where the wanted thread cannot run, its stretch
// is over and the next one begins, and after the last stretch the running thread continues.
#pragma once

#include <cstdint>
#include <span>

#include "protocol/shared_memory.h"
#include "protocol/world.h"

namespace snag {

// Length of a stretch that lasts until its thread blocks or ends.
inline constexpr std::uint32_t kUntilBlocked = ~std::uint32_t{0};

class Guide {
 public:
  void begin(std::span<const Stretch> wanted) {
    wanted_ = wanted;
    entered_ = 0;
    end_ = 0;
  }

  // The thread that the schedule wants now; kNoTid: it is over.
  Tid wanted(const World& world) {
    while (entered_ == 0 || !goes_on(world)) {
      if (entered_ == wanted_.size()) return kNoTid;
      // The strategy is not asked about the first steps of a run if they are silent; they count all
      // the same.
      begin_ = entered_ == 0 ? 0 : world.step;
      const std::uint32_t steps = wanted_[entered_++].steps;
      end_ = steps == kUntilBlocked ? UINT64_MAX : begin_ + steps;
    }
    return wanted_[entered_ - 1].thread;
  }

  // The thread that continues when no thread is wanted: the one that runs, or the first of the
  // others. Timeouts are the last resort, as in a program that runs natively.
  static Tid fallback(const World& world) {
    if (world.current_enabled && world.timeout[world.current] == 0) return world.current;
    Tid best = world.enabled[0];
    for (const Tid thread : world.enabled) {
      const bool better =
          world.timeout[thread] != world.timeout[best] ? world.timeout[thread] == 0 : thread < best;
      if (better) best = thread;
    }
    return best;
  }

 private:
  bool goes_on(const World& world) const {
    if (world.step >= end_) return false;
    const Tid thread = wanted_[entered_ - 1].thread;
    // A wait that only its deadline could end has blocked the thread, if the thread has just
    // reached it.
    if (end_ == UINT64_MAX && world.step > begin_ && thread < world.thread_count &&
        world.timeout[thread] != 0)
      return false;
    for (const Tid enabled : world.enabled) {
      if (enabled == thread) return true;
    }
    return false;
  }

  std::span<const Stretch> wanted_;
  std::size_t entered_ = 0;  // stretches, the current one included
  std::uint64_t begin_ = 0;  // its first step
  std::uint64_t end_ = 0;    // first step after it
};

}  // namespace snag
