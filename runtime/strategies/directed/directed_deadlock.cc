#include "runtime/strategies/directed/directed.h"

namespace snag::rt {
namespace {

// Threads that each hold a lock and are about to take the next one: who has come so far waits until
// all the others have, too. Then they go, and wait for each other.
class DirectedDeadlock final : public DirectedStrategy {
 private:
  void begin_run(const RunPlan& plan) override {
    // Some runs let a thread pass now and then: the one that waits may hold what another one needs
    // on its way.
    waits_ = plan.number < 2 ? 4 : 2 + random().below(3);
  }

  void passed(Tid, const Op&, std::uint32_t) override {}

  // Of the threads that stand at one side or another, those that wait for a lock already too: how
  // many of the sides they can take, each one a thread for itself.
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
