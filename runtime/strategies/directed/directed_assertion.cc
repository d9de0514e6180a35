// Implements runtime/strategies/directed/directed.h: assertions.
#include "runtime/strategies/directed/directed.h"

namespace snag::rt {
namespace {

// A thread that is about to read what an assertion depends on is held until other threads have made
// exactly n writes to such variables; then it runs alone, past the assertion. n differs from run to
// run and starts at 1, so the assertion is evaluated in every state that the writes pass through,
// including those in the middle of a group of writes. Writers are held too, until a reader waits.
class DirectedAssertion final : public DirectedStrategy {
 private:
  enum Side : std::uint32_t { kRead, kWrite };
  // Steps that a released reader takes alone: enough for the rest of an assertion.
  static constexpr std::uint32_t kAlone = 40;
  // Steps that other threads may take while that reader is blocked.
  static constexpr std::uint32_t kAloneChances = 200;
  // The runs try 1 to kRounds writes in turn.
  static constexpr std::uint64_t kRounds = 8;

  struct Waiting {
    std::uint64_t target = 0;  // value of writes_ - own to wait for
    std::uint64_t own = 0;     // the thread's own writes so far
    bool active = false;
  };

  void begin_run(const RunPlan& plan) override {
    waiting_.clear();
    writes_ = 0;
    alone_ = kNoTid;
    wanted_ = 1 + plan.number % kRounds;
    number_ = plan.number;
    // Every other round of runs holds threads at random only.
    const bool strict = plan.number / kRounds % 2 == 0;
    read_waits_ = strict ? 4 : 1 + random().below(4);
    write_waits_ = strict ? 4 : random().below(5);
  }

  Waiting& waiting(Tid t) {
    while (waiting_.size() <= t) waiting_.push_back({});
    return waiting_[t];
  }

  void passed(Tid t, const Op&, std::uint32_t sides) override {
    if (is_at(sides, kWrite)) {
      ++writes_;
      ++waiting(t).own;
    }
    waiting(t).active = false;
    if (t == alone_ && --alone_steps_ == 0) alone_ = kNoTid;
  }

  bool has_enough(Tid t) {
    const Waiting& w = waiting(t);
    return w.active && writes_ - waiting_[t].own >= w.target;
  }

  Tid who_must_go(const World& world) override {
    if (alone_ != kNoTid) {
      for (const Tid t : world.enabled) {
        if (t == alone_) return t;
      }
      // It waits for a lock, or for something else.
      if (--alone_chances_ == 0) alone_ = kNoTid;
      return kNoTid;
    }
    for (const Tid t : world.enabled) {
      if (!is_at(sides_at(world, t), kRead) || !has_enough(t)) continue;
      together(2);
      happened();
      alone_ = t;
      alone_steps_ = kAlone;
      alone_chances_ = kAloneChances;
      wanted_ = 1 + random().below(kRounds);
      return t;
    }
    return kNoTid;
  }

  bool any_reader_waits() {
    for (const Waiting& w : waiting_) {
      if (w.active) return true;
    }
    return false;
  }

  bool must_wait(const World&, Tid t, std::uint32_t sides) override {
    if (is_at(sides, kRead)) {
      if (!draw(t, read_waits_)) return false;
      Waiting& w = waiting(t);
      if (!w.active) {
        w.active = true;
        w.target = writes_ - w.own + wanted_;
      }
      together(1);
      return true;
    }
    return !any_reader_waits() && draw(t, write_waits_);
  }

  // Prefers a writer, because readers wait for writes. Alternates between the writer with the
  // lowest and the one with the highest number from run to run.
  Tid release(const World& world, std::span<const Tid> held) override {
    Tid first = kNoTid, last = kNoTid;
    for (const Tid t : held) {
      if (is_at(sides_at(world, t), kRead)) continue;
      if (first == kNoTid || t < first) first = t;
      if (last == kNoTid || t > last) last = t;
    }
    if (first == kNoTid) return any_of(held);
    return number_ % 2 == 0 ? first : last;
  }

  MmapVector<Waiting> waiting_;
  std::uint64_t writes_ = 0;
  std::uint64_t wanted_ = 1;
  std::uint32_t read_waits_ = 4, write_waits_ = 4;
  Tid alone_ = kNoTid;
  std::uint32_t alone_steps_ = 0, alone_chances_ = 0;
  std::uint64_t number_ = 0;
};

constinit DirectedAssertion the_assertion;

}  // namespace

DirectedStrategy* directed_assertion() { return &the_assertion; }

}  // namespace snag::rt
