// A strategy decides, at every schedule point, which thread takes the next step.
//
// One strategy a file. A strategy object lives in the process that outlives the runs (the fork
// server, or the caller of snag::explore). `begin`, `pick` and `choose` are called in the run's own
// process, usually a fork that dies with the run: what they change is lost with it. `learn` is
// called afterwards, in the process that stays, with the log of what happened, also when the run
// crashed. So: derive everything in a run from the plan and from what `learn` left behind.
//
// Ground rules of the runtime hold here too: no exceptions, no RTTI, no allocation through the
// program's malloc (use Arena / mmap), no libstdc++ symbol that is not inline.
#pragma once

#include <cstdint>
#include <span>

#include "protocol/ops.h"
#include "protocol/random.h"
#include "protocol/shared_memory.h"
#include "protocol/world.h"

namespace snag::rt {

struct RunPlan {
  std::uint64_t number;  // of the run, from 0
  std::uint64_t seed;    // all randomness of the run comes from it
};

// What remains of a run: every step that was executed, in order.
struct RunLog {
  std::span<const Step> steps;
  std::span<const Choice> choices;
  std::uint32_t thread_count;
  bool complete;  // false: the run ended early (failure, step budget)
};

class Strategy {
 public:
  virtual void begin(const RunPlan& plan) = 0;
  virtual Tid pick(const World& world) = 0;
  // Which of n alternatives that are not threads; n >= 2.
  virtual std::uint32_t choose(const World& world, std::uint32_t n) = 0;
  // `creator` made `thread`, which is enabled from now on.
  virtual void thread_started(Tid thread, Tid creator) { (void)thread, (void)creator; }

  // The run is given up because of a deadlock. Called once, in the run's own process: what the
  // threads wait in now is in `world.pending`, and a systematic strategy learns it nowhere else.
  // `world.enabled` is not looked at.
  virtual void stuck(const World& world) { (void)world; }

  // Who decides in this run, for one that deals its runs out to others. Asked after `begin`:
  // nothing stands between that one and the steps.
  virtual Strategy* deciding() { return this; }

  // Whether it may be left out at steps where only one thread can go. Asked after `begin`.
  virtual bool indifferent() const { return false; }

  virtual void learn(const RunLog& log) { (void)log; }
  // From the next run on there are more schedule points. A systematic strategy begins anew: what it
  // explored was not all.
  virtual void points_changed() {}
  // Nothing new left to try; only systematic strategies ever say so.
  virtual bool exhausted() const { return false; }
  // Some schedules were left out because of a bound.
  virtual bool bound_hit() const { return false; }

 protected:
  ~Strategy() = default;  // strategies live in static storage and are never destroyed
};

// Defined one a file, under strategies/.
Strategy* random_strategy();
Strategy* pct_strategy(std::uint32_t depth);
Strategy* pos_strategy();
Strategy* surw_strategy();
Strategy* dfs_strategy(std::int32_t preemption_bound);
Strategy* cover_strategy(const WantedPair& pair);  // with absolute program counters
// The two look for Config::directed: program counters in `what` are absolute, and what the runs
// come to is left in `progress`, which outlives them.
Strategy* directed_strategy(const Directed& what, DirectedProgress* progress);
Strategy* assert_strategy(const Directed& what, DirectedProgress* progress);
Strategy* mix_strategy();  // spends its runs on several of the above
// What mix uses in the current run: from `begin`, or the `learn` before it, until `learn`. In
// either process.
StrategyKind mix_current();

}  // namespace snag::rt
