// Implements runtime/strategies/registry.h: the strategy pct.
#include <algorithm>
#include <array>

#include "runtime/base/arena.h"
#include "runtime/strategies/common.h"

namespace snag::rt {
namespace {

// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte; ASPLOS 2010).
//
// Most concurrency bugs need only a few ordering constraints between steps; their number is the
// bug's depth d. PCT gives every thread a random priority and always runs the highest enabled one,
// which settles one constraint. At d - 1 random moments it lowers the running thread below all
// others, which settles one constraint each. In a program of n threads and k steps, every single
// run hits a bug of depth d with probability at least 1 / (n * k^(d-1)), whatever else the program
// does. No other strategy here gives such a guarantee. In practice PCT is strong where one thread
// must be delayed for long.
//
// Details that the paper leaves open:
//
// - k is estimated from earlier runs (a guess in the first run). Only the steps from the first
//   thread creation to the last step of a thread other than main count: a change point elsewhere is
//   wasted, and k enters the bound with the power d - 1. One odd run (a livelock that used up the
//   step budget) changes the estimate by at most a factor of two.
//
// - The thread lowered at the i-th change point drawn gets the i-th of d - 1 reserved low
//   priorities. The points are drawn unordered, so the order among the lowered threads is random.
//
// - A thread that yields, sleeps, or lets a wait time out goes below all others: it waits for them,
//   and strict priorities would let it spin.
//
// - Depth 0 means: draw a depth for every run.
class Pct final : public Strategy, public Learner {
 public:
  constexpr Pct() : Strategy(StrategyKind::kPct, this) {}

  void set_depth(std::uint32_t depth) { depth_ = std::min(depth, kMaxDepth); }

  void begin(const RunPlan& plan) override {
    random_ = Random(salted(plan.seed, kind));
    priority_.clear();
    lowest_ = kFirstYield;
    const std::uint32_t depth = depth_ != 0 ? depth_ : kDepths[random_.below(kDepths.size())];
    point_count_ = depth - 1;
    for (std::uint32_t i = 0; i < point_count_; ++i) {
      points_[i] = {window_begin_ + random_.next() % window_length_, kFirstLowered + i};
    }
    std::sort(points_.begin(), points_.begin() + point_count_,
              [](const Point& a, const Point& b) { return a.step < b.step; });
    next_point_ = 0;
  }

  Tid pick(const World& world) override {
    while (priority_.size() < world.thread_count)
      priority_.push_back(kFirstInitial | random_.next());
    Tid best = highest(world);
    while (next_point_ < point_count_ && points_[next_point_].step <= world.step) {
      // A change point at a step without an alternative would have no effect: keep it for the next
      // step that has one.
      if (world.enabled.size() == 1) break;
      priority_[best] = points_[next_point_++].priority;
      best = highest(world);
    }
    if (gives_way(world.pending[best].kind) || world.timeout[best] != 0)
      priority_[best] = --lowest_;
    return best;
  }

  std::uint32_t choose(const World&, std::uint32_t n) override { return random_.below(n); }

  void learn(const RunLog& log) override {
    std::uint64_t begin = 0, end = log.steps.size();
    while (begin < end && log.steps[begin].kind != OpKind::kThreadCreate) ++begin;
    while (end > begin && log.steps[end - 1].thread == 0) --end;
    // One thread only, or the run ended before the second one moved: nothing to learn.
    if (begin == end) return;
    window_begin_ = begin;
    const std::uint64_t seen = end - begin;
    if (!learned_) {
      window_length_ = seen;
    } else if (log.complete || seen > window_length_) {
      const std::uint64_t next = std::clamp(seen, window_length_ / 2, window_length_ * 2);
      window_length_ = (window_length_ * 3 + next + 3) / 4;
    }
    learned_ = true;
  }

 private:
  struct Point {
    std::uint64_t step;
    std::uint64_t priority;
  };

  // Bands of priorities, lowest first: threads that gave way (counting down), threads lowered at a
  // change point, threads that still have their initial priority.
  static constexpr std::uint64_t kFirstYield = 1ull << 61;
  static constexpr std::uint64_t kFirstLowered = 1ull << 62;
  static constexpr std::uint64_t kFirstInitial = 1ull << 63;
  static constexpr std::uint32_t kMaxDepth = 64;
  // Published studies found most bugs at depths 2 and 3, and almost none above 5. The larger depths
  // are for programs in which only many interruptions make a difference.
  static constexpr std::array<std::uint8_t, 8> kDepths = {2, 2, 3, 3, 4, 5, 7, 10};

  Tid highest(const World& world) const {
    Tid best = world.enabled[0];
    std::uint64_t best_priority = priority_[best];
    for (const Tid t : world.enabled.subspan(1)) {
      if (priority_[t] > best_priority) best = t, best_priority = priority_[t];
    }
    return best;
  }

  Random random_;
  std::uint32_t depth_ = 0;
  std::uint32_t point_count_ = 0;
  std::uint32_t next_point_ = 0;
  std::uint64_t lowest_ = kFirstYield;
  std::array<Point, kMaxDepth> points_{};
  MmapVector<std::uint64_t> priority_;

  std::uint64_t window_begin_ = 0;
  std::uint64_t window_length_ = 100;  // a guess for the first run only
  bool learned_ = false;
};

constinit Pct the_pct;

}  // namespace

Strategy* pct_strategy(const StrategySettings& settings) {
  the_pct.set_depth(settings.pct_depth);
  return &the_pct;
}

}  // namespace snag::rt
