// Asks the tool at every schedule point. Slow, and able to do whatever the tool can think of:
// replays of a program that was changed since.
#include "arch/arch.h"
#include "runtime/base/modules.h"
#include "runtime/sched/scheduler.h"
#include "runtime/strategies/follow/follow.h"

namespace snag::rt {
namespace {

class Remote final : public Strategy {
 public:
  void open(Shared* shared) { shared_ = shared; }

  void begin(const RunPlan&) override { choice_ = 0; }

  Tid pick(const World& world) override {
    RemoteExchange& exchange = shared_->remote;
    exchange.current = world.current_enabled ? world.current : kNoTid;
    exchange.op = world.pending[world.current];
    exchange.op.pc = display_pc(g.current, exchange.op.pc);
    copy_frames(g.current, exchange.frames);
    exchange.enabled_count = static_cast<std::uint32_t>(world.enabled.size());
    for (std::size_t i = 0; i < world.enabled.size(); ++i) exchange.enabled[i] = world.enabled[i];
    exchange.ignore_pc = 0;
    exchange.turn.store(1, std::memory_order_release);
    futex_wake(&exchange.turn);
    while (exchange.turn.load(std::memory_order_acquire) != 2) futex_wait(&exchange.turn, 1);
    if (exchange.ignore_pc) *pc_flags(exchange.op.pc) |= kIgnoredPc;
    return exchange.answer;
  }

  std::uint32_t choose(const World&, std::uint32_t n) override {
    if (choice_ >= shared_->config.replay_choices) return 0;
    const std::uint32_t value = shared_->choices[choice_++].value;
    return value < n ? value : 0;
  }

 private:
  Shared* shared_ = nullptr;
  std::uint32_t choice_ = 0;
};

Remote remote;

}  // namespace

Strategy* remote_strategy(Shared* shared) {
  remote.open(shared);
  return &remote;
}

}  // namespace snag::rt
