#include "runtime/base/arena.h"
#include "runtime/strategies/common.h"
#include "runtime/strategies/wait_budget.h"

namespace snag::rt {
namespace {

// Brings about one location pair: the access at `first` by one thread, and directly after it, to
// the same memory, the one at `second` by another.
//
// A thread that has come to one of the two places is held there until somebody stands at the other
// one, before the same memory; then both go, in the order wanted. Between the two nobody else may
// touch that memory. Whom to hold is a matter of luck, too, since the one who is held may have the
// lock that the other one needs: where nobody else can go on, or for long, one of those held is let
// go, and not held again at that place; and each run draws how ready it is to hold at all. The rest
// is a random walk.
class Cover final : public Strategy {
 public:
  void set_pair(const WantedPair& pair) { pair_ = pair; }

  void begin(const RunPlan& plan) override {
    random_ = Random(salted(plan.seed, StrategyKind::kCover));
    for (std::uint32_t& odds : holds_) odds = kReadiness[random_.below(4)];
    threads_.clear();
    last_ = kNoTid;
    armed_ = kNoTid;
    met_ = false;
    patience_.begin();
  }

  Tid pick(const World& world) override {
    while (threads_.size() < world.thread_count) threads_.push_back({});
    note_last_step();
    const Tid chosen = met_ ? any_of(world.enabled) : steer(world);
    last_ = chosen;
    last_op_ = world.pending[chosen];
    // It leaves the place: at the next one it is judged anew.
    threads_[chosen] = {};
    return chosen;
  }

  std::uint32_t choose(const World&, std::uint32_t n) override { return random_.below(n); }

 private:
  enum Side : std::uint8_t { kFirst, kSecond };
  // In quarters: how likely a thread is held at a place. Two of the four runs hold always.
  static constexpr std::uint32_t kReadiness[] = {4, 4, 3, 2};

  struct Standing {
    std::uint64_t pc = 0, object = 0;  // where it stood when it was judged
    bool held = false;
  };

  bool is_at(Side side, const Op& op) const {
    if (op.object == 0) return false;
    for (std::uint32_t i = 0; i < pair_.count[side]; ++i) {
      if (pair_.pcs[side][i] == op.pc) return true;
    }
    return false;
  }

  Tid any_of(std::span<const Tid> threads) {
    const auto n = static_cast<std::uint32_t>(threads.size());
    return n == 1 ? threads[0] : threads[random_.below(n)];
  }

  // What the step that was taken means for the pair.
  void note_last_step() {
    if (last_ == kNoTid || last_op_.object == 0) return;
    if (armed_ != kNoTid && last_op_.object == armed_object_) {
      met_ = met_ || (last_ != armed_ && is_at(kSecond, last_op_));
      armed_ = kNoTid;
    }
    if (is_at(kFirst, last_op_)) {
      armed_ = last_;
      armed_object_ = last_op_.object;
    }
  }

  // Somebody else who stands at that side before the same memory.
  Tid partner(const World& world, Side side, Tid other, std::uint64_t object) {
    Tid found = kNoTid;
    std::uint32_t count = 0;
    for (const Tid t : world.enabled) {
      const Op& op = world.pending[t];
      if (t != other && op.object == object && is_at(side, op) && random_.below(++count) == 0)
        found = t;
    }
    return found;
  }

  bool is_held(const World& world, Tid t) {
    const Op& op = world.pending[t];
    if (armed_ != kNoTid && op.object == armed_object_) return true;
    const bool first = is_at(kFirst, op);
    if (!first && !is_at(kSecond, op)) return false;
    Standing& standing = threads_[t];
    if (standing.pc != op.pc || standing.object != op.object)
      standing = {op.pc, op.object, random_.below(4) < holds_[first ? kFirst : kSecond]};
    return standing.held;
  }

  // Of those that are not in `free_`, which are enabled, too, and in the same order.
  Tid any_of_held(const World& world) {
    held_.clear();
    std::size_t next_free = 0;
    for (const Tid t : world.enabled) {
      if (next_free < free_.size() && free_[next_free] == t)
        ++next_free;
      else
        held_.push_back(t);
    }
    return any_of({held_.data(), held_.size()});
  }

  Tid steer(const World& world) {
    if (armed_ != kNoTid) {
      const Tid t = partner(world, kSecond, armed_, armed_object_);
      if (t != kNoTid) return t;
    }
    free_.clear();
    for (const Tid t : world.enabled) {
      const Op& op = world.pending[t];
      if (is_at(kFirst, op) && partner(world, kSecond, t, op.object) != kNoTid) return t;
      if (!is_held(world, t)) free_.push_back(t);
    }
    if (free_.size() == world.enabled.size()) patience_.renew();
    if (free_.empty()) return any_of(world.enabled);
    if (free_.size() != world.enabled.size() && patience_.is_over()) {
      patience_.shorten();
      return any_of_held(world);
    }
    return any_of({free_.data(), free_.size()});
  }

  WantedPair pair_{};
  Random random_;
  std::uint32_t holds_[2] = {};
  MmapVector<Standing> threads_;
  MmapVector<Tid> free_, held_;
  Patience patience_;
  Tid last_ = kNoTid;
  Op last_op_;
  Tid armed_ = kNoTid;  // who has just passed the first place
  std::uint64_t armed_object_ = 0;
  bool met_ = false;
};

constinit Cover the_cover;

}  // namespace

Strategy* cover_strategy(const WantedPair& pair) {
  the_cover.set_pair(pair);
  return &the_cover;
}

}  // namespace snag::rt
