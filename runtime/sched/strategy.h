// A strategy decides, at every schedule point, which thread takes the next step.
//
// One strategy per file, under runtime/strategies/. A strategy object lives in the process that
// outlives the runs (the fork server, or the child of snag::explore). `begin`, `pick` and `choose`
// are called in the process of the run, usually a fork that dies with the run, so what they change
// is lost. `Learner::learn` is called afterwards in the process that stays, with the log of the
// run, even if the run crashed. So everything in a run must follow from the plan and from what
// `learn` left behind.
//
// The ground rules of the runtime hold here too: no exceptions, no RTTI, no static constructors,
// no allocation through the program's malloc (use MmapVector), no libstdc++ symbol that is not
// inline.
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
  std::uint64_t seed;    // the source of all randomness in the run
};

// What remains of a run: every step that was executed, in order.
struct RunLog {
  std::span<const Step> steps;
  std::span<const Choice> choices;
  std::uint32_t thread_count;
  bool complete;  // false: the run ended early (failure, step budget)
};

// For strategies that learn from one run for the next. Called in the process that stays.
class Learner {
 public:
  virtual void learn(const RunLog& log) = 0;
  // The next run has more schedule points than the runs before.
  virtual void points_changed() {}

 protected:
  ~Learner() = default;
};

// For strategies that search all schedules instead of sampling them.
class Search {
 public:
  // The run ends in a deadlock. Called in the process of the run. `world.pending` says what each
  // thread waits in; the search cannot learn that anywhere else. Ignore `world.enabled`.
  virtual void stuck(const World& world) = 0;
  // Every schedule has been tried. Called in the process that stays, like `bound_hit`.
  virtual bool exhausted() const = 0;
  // Some schedules were left out because of a bound.
  virtual bool bound_hit() const = 0;

 protected:
  ~Search() = default;
};

class Strategy {
 public:
  virtual void begin(const RunPlan& plan) = 0;
  virtual Tid pick(const World& world) = 0;
  // Picks one of n alternatives that are not threads; n >= 2.
  virtual std::uint32_t choose(const World& world, std::uint32_t n) = 0;
  // `creator` made `thread`, which is enabled from now on.
  virtual void thread_started(Tid thread, Tid creator) { (void)thread, (void)creator; }

  const StrategyKind kind;
  // What the strategy offers beyond picking; null if it does not.
  Learner* const learner;
  Search* const search;
  // The strategy that decides in the current run. `begin` of a strategy that distributes its runs
  // among others sets it, and the scheduler then calls that one directly.
  Strategy* decider;

 protected:
  constexpr explicit Strategy(StrategyKind kind, Learner* learner = nullptr,
                              Search* search = nullptr)
      : kind(kind), learner(learner), search(search), decider(this) {}
  ~Strategy() = default;  // strategies live in static storage and are never destroyed
};

}  // namespace snag::rt
