// What the directed strategies share: strategies that make one chosen interleaving happen
// (Config::directed) by holding threads where they must not go on yet.
//
// A thread that is held stands before an operation and is not picked, until what it waits for has
// come. Nobody sleeps: whether it can still come is known. Where nobody else can go on, one of
// those held is let go and passes its place; and where it takes very long, too, since those who do
// go on may wait in a loop for the one that is held. The rest is a random walk.
#pragma once

#include "runtime/base/arena.h"
#include "runtime/strategies/common.h"
#include "runtime/strategies/wait_budget.h"

namespace snag::rt {

class DirectedStrategy : public Strategy {
 public:
  void set(const Directed& what, DirectedProgress* progress) {
    what_ = what;
    progress_ = progress;
  }

  void begin(const RunPlan& plan) final {
    random_ = Random(salted(plan.seed, StrategyKind::kActive));
    threads_.clear();
    last_ = kNoTid;
    happened_ = is_going_on_ = false;
    patience_.begin();
    begin_run(plan);
  }

  Tid pick(const World& world) final {
    while (threads_.size() < world.thread_count) threads_.push_back({});
    if (last_ != kNoTid) passed(last_, last_op_, last_sides_);
    for (const Tid t : world.enabled) look_at(world, t);
    const Tid chosen = is_settled() ? go_on(world) : steer(world);
    last_ = chosen;
    last_op_ = world.pending[chosen];
    last_sides_ = sides_at(world, chosen);
    // It leaves the place: at the next one it is judged anew.
    threads_[chosen].known = threads_[chosen].judged = false;
    return chosen;
  }

  std::uint32_t choose(const World&, std::uint32_t n) final {
    return is_settled() ? 0 : random_.below(n);
  }

 protected:
  ~DirectedStrategy() = default;

  // What one kind of interleaving needs.
  virtual void begin_run(const RunPlan& plan) = 0;
  // A thread has taken a step; it was at these sides.
  virtual void passed(Tid thread, const Op& op, std::uint32_t sides) = 0;
  // Somebody enabled who must go now; kNoTid: nobody in particular.
  virtual Tid who_must_go(const World& world) = 0;
  // Whether the thread, which is enabled, is to wait where it stands.
  virtual bool must_wait(const World& world, Tid thread, std::uint32_t sides) = 0;
  // Whether it may have to wait also where it is at no side.
  virtual bool is_led(Tid) const { return false; }
  // One of those who wait, to be let go.
  virtual Tid let_go(const World&, std::span<const Tid> held) { return any_of(held); }
  // It has happened, and from now on nothing is to be left to chance.
  virtual bool is_settled() const { return false; }
  // Who goes on first then, if it can.
  virtual Tid who_goes_on() const { return kNoTid; }

  // Of the operation that the thread is about to do: a bit for each side.
  std::uint32_t sides_at(const World& world, Tid t) {
    const Op& op = world.pending[t];
    Standing& standing = threads_[t];
    if (standing.known && standing.pc == op.pc && standing.object == op.object)
      return standing.sides;
    standing.known = true;
    standing.judged = false;
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
  // Which of the side's places it is; of the first two sides only.
  std::uint32_t place_at(Tid t, std::uint32_t side) const { return threads_[t].place[side]; }

  // Drawn once for each time that a thread comes to a place: in `quarters` of four cases.
  bool draw(Tid t, std::uint32_t quarters) {
    Standing& standing = threads_[t];
    if (!standing.judged) {
      standing.judged = true;
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
    bool known = false, judged = false, drawn = false;
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

  void look_at(const World& world, Tid t) {
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
      patience_.renew();
      return any_of({free_.data(), free_.size()});
    }
    const bool tired = patience_.is_over();
    if (!free_.empty() && !tired) return any_of({free_.data(), free_.size()});
    if (tired) patience_.shorten();
    progress_->given_up.fetch_add(1, std::memory_order_relaxed);
    return let_go(world, {held_.data(), held_.size()});
  }

  // Always in the same way, whoever came last: without a switch as long as that is possible.
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
  Patience patience_;
  Tid last_ = kNoTid;
  Op last_op_;
  std::uint32_t last_sides_ = 0;
  bool happened_ = false, is_going_on_ = false;
};

// One a file; directed.cc chooses.
DirectedStrategy* directed_race();
DirectedStrategy* directed_deadlock();
DirectedStrategy* directed_atomicity();
DirectedStrategy* directed_assertion();

}  // namespace snag::rt
