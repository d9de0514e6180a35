// What the directed strategies share. A directed strategy brings about one given interleaving
// (Config::directed) by holding threads at places where they must not go on yet.
//
// A held thread is at an operation and is not picked until the event it waits for has happened.
// There are no timers: the strategy sees all threads. If no other thread can run, it releases a
// held thread, which then passes its place. It also does so after very many steps, because the
// running threads may wait in a loop for a held one. Everything else is a random walk.
#pragma once

#include "runtime/base/arena.h"
#include "runtime/strategies/common.h"
#include "runtime/strategies/wait_budget.h"

namespace snag::rt {

class DirectedStrategy : public Strategy {
 public:
  constexpr explicit DirectedStrategy(StrategyKind kind = StrategyKind::kDirected)
      : Strategy(kind) {}

  void set(const Directed& what, DirectedProgress* progress) {
    what_ = what;
    progress_ = progress;
  }

  void begin(const RunPlan& plan) final {
    random_ = Random(salted(plan.seed, StrategyKind::kDirected));
    threads_.clear();
    last_ = kNoTid;
    happened_ = is_going_on_ = false;
    wait_budget_.begin();
    begin_run(plan);
  }

  Tid pick(const World& world) final {
    while (threads_.size() < world.thread_count) threads_.push_back({});
    if (last_ != kNoTid) passed(last_, last_op_, last_sides_);
    for (const Tid t : world.enabled) record_arrival(world, t);
    const Tid chosen = is_settled() ? go_on(world) : steer(world);
    last_ = chosen;
    last_op_ = world.pending[chosen];
    last_sides_ = sides_at(world, chosen);
    // It leaves its place. At the next one, decide again whether to hold it.
    threads_[chosen].known = threads_[chosen].decided = false;
    return chosen;
  }

  std::uint32_t choose(const World&, std::uint32_t n) final {
    return is_settled() ? 0 : random_.below(n);
  }

 protected:
  ~DirectedStrategy() = default;

  // The parts that differ between the kinds of interleavings.
  virtual void begin_run(const RunPlan& plan) = 0;
  // The thread was at these sides and has taken a step.
  virtual void passed(Tid thread, const Op& op, std::uint32_t sides) = 0;
  // An enabled thread that must go now; kNoTid if any may.
  virtual Tid who_must_go(const World& world) = 0;
  // Whether to hold the thread, which is enabled, where it is.
  virtual bool must_wait(const World& world, Tid thread, std::uint32_t sides) = 0;
  // Whether to ask `must_wait` about the thread even if it is at no side.
  virtual bool is_led(Tid) const { return false; }
  // Picks one of the held threads to release.
  virtual Tid release(const World&, std::span<const Tid> held) { return any_of(held); }
  // The interleaving has happened, and nothing is left to chance from now on.
  virtual bool is_settled() const { return false; }
  // The thread that goes on first then, if it can.
  virtual Tid who_goes_on() const { return kNoTid; }

  // The sides that the thread's pending operation is at, one bit for each.
  std::uint32_t sides_at(const World& world, Tid t) {
    const Op& op = world.pending[t];
    Standing& standing = threads_[t];
    if (standing.known && standing.pc == op.pc && standing.object == op.object)
      return standing.sides;
    standing.known = true;
    standing.decided = false;
    standing.pc = op.pc;
    standing.object = op.object;
    standing.sides = 0;
    for (std::uint32_t side = 0; side < what_.sides; ++side) {
      for (std::uint32_t i = 0; i < what_.side[side].count; ++i) {
        if (matches(what_.side[side].places[i], op, world, t)) {
          standing.sides |= 1u << side;
          standing.place[side & 1] = static_cast<std::uint8_t>(i);
        }
      }
    }
    return standing.sides;
  }
  static bool is_at(std::uint32_t sides, std::uint32_t side) { return (sides >> side & 1) != 0; }
  // Which of the side's places the thread is at. For the first two sides only.
  std::uint32_t place_at(Tid t, std::uint32_t side) const { return threads_[t].place[side]; }

  // True with probability `quarters` / 4. Draws once per visit of a thread to a place.
  bool draw(Tid t, std::uint32_t quarters) {
    Standing& standing = threads_[t];
    if (!standing.decided) {
      standing.decided = true;
      standing.drawn = random_.below(4) < quarters;
    }
    return standing.drawn;
  }

  Tid any_of(std::span<const Tid> threads) {
    const auto n = static_cast<std::uint32_t>(threads.size());
    return n == 1 ? threads[0] : threads[random_.below(n)];
  }

  void together(std::uint32_t sides) {
    if (sides > progress_->together.load(std::memory_order_relaxed))
      progress_->together.store(sides, std::memory_order_relaxed);
  }
  void happened() {
    if (happened_) return;
    happened_ = true;
    progress_->happened.fetch_add(1, std::memory_order_relaxed);
  }
  bool has_happened() const { return happened_; }

  const Directed& what() const { return what_; }
  DirectedProgress& progress() { return *progress_; }
  Random& random() { return random_; }

 private:
  struct Standing {
    std::uint64_t pc = 0, object = 0;
    std::uint32_t sides = 0;
    bool known = false, decided = false, drawn = false;
    std::uint8_t place[2] = {};
  };

  static bool matches(const DirectedPlace& place, const Op& op, const World& world, Tid t) {
    if (place.depth == 0 || place.frames[0] != op.pc) return false;
    if (world.callers == nullptr) return true;
    const std::span<const std::uint64_t> callers = world.callers(t);
    for (std::uint32_t i = 1; i < place.depth && i <= callers.size(); ++i) {
      if (callers[callers.size() - i] != place.frames[i]) return false;
    }
    return true;
  }

  void record_arrival(const World& world, Tid t) {
    const std::uint32_t sides = sides_at(world, t);
    if (sides != 0 && (progress_->arrived.load(std::memory_order_relaxed) & sides) != sides)
      progress_->arrived.fetch_or(sides, std::memory_order_relaxed);
  }

  Tid steer(const World& world) {
    if (const Tid t = who_must_go(world); t != kNoTid) return t;
    free_.clear();
    held_.clear();
    for (const Tid t : world.enabled) {
      const std::uint32_t sides = sides_at(world, t);
      if ((sides != 0 || is_led(t)) && must_wait(world, t, sides))
        held_.push_back(t);
      else
        free_.push_back(t);
    }
    if (held_.empty()) {
      wait_budget_.renew();
      return any_of({free_.data(), free_.size()});
    }
    const bool waited_long = wait_budget_.is_over();
    if (!free_.empty() && !waited_long) return any_of({free_.data(), free_.size()});
    if (waited_long) wait_budget_.shorten();
    progress_->given_up.fetch_add(1, std::memory_order_relaxed);
    return release(world, {held_.data(), held_.size()});
  }

  // Deterministic, whichever thread went last: switches threads only where it must.
  Tid go_on(const World& world) {
    const Tid first = is_going_on_ ? kNoTid : who_goes_on();
    if (is_going_on_ && world.current_enabled) return world.current;
    is_going_on_ = true;
    Tid lowest = world.enabled[0];
    for (const Tid t : world.enabled) {
      if (t == first) return t;
      lowest = t < lowest ? t : lowest;
    }
    return lowest;
  }

  Directed what_{};
  DirectedProgress* progress_ = nullptr;
  Random random_;
  MmapVector<Standing> threads_;
  MmapVector<Tid> free_, held_;
  WaitBudget wait_budget_;
  Tid last_ = kNoTid;
  Op last_op_;
  std::uint32_t last_sides_ = 0;
  bool happened_ = false, is_going_on_ = false;
};

// One per file. directed.cc picks one by DirectedKind.
DirectedStrategy* directed_race();
DirectedStrategy* directed_deadlock();
DirectedStrategy* directed_atomicity();
DirectedStrategy* directed_assertion();

}  // namespace snag::rt
