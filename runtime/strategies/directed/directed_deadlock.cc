// Implements runtime/strategies/directed/directed.h: deadlocks.
#include "runtime/strategies/directed/directed.h"

namespace snag::rt {
namespace {

// Threads that each own a lock and are about to take the next one. Holds each of them there until
// all have arrived. Then they go on and block each other.
class DirectedDeadlock final : public DirectedStrategy {
 private:
  void begin_run(const RunPlan& plan) override {
    // Some runs let a thread pass now and then, because a held thread may own a lock that another
    // one needs on its way.
    waits_ = plan.number < 2 ? 4 : 2 + random().below(3);
  }

  void passed(Tid, const Op&, std::uint32_t) override {}

  // The number of sides that can each be assigned a different thread that is at it. Counts threads
  // that already wait for their lock as well.
  std::uint32_t taken_sides(const World& world) {
    std::uint32_t taken = 0;
    for (std::uint32_t t = 0; t < world.thread_count; ++t) {
      const std::uint32_t sides = sides_at(world, static_cast<Tid>(t)) & ~taken;
      if (sides != 0) taken |= sides & -sides;
    }
    return static_cast<std::uint32_t>(__builtin_popcount(taken));
  }

  Tid who_must_go(const World& world) override {
    const std::uint32_t taken = taken_sides(world);
    together(taken);
    if (taken < what().sides) return kNoTid;
    happened();
    for (const Tid t : world.enabled) {
      if (sides_at(world, t) != 0) return t;
    }
    return kNoTid;
  }

  bool must_wait(const World&, Tid t, std::uint32_t) override { return draw(t, waits_); }

  std::uint32_t waits_ = 4;
};

constinit DirectedDeadlock the_deadlock;

}  // namespace

DirectedStrategy* directed_deadlock() { return &the_deadlock; }

}  // namespace snag::rt
