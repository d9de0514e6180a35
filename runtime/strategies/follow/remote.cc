// Implements runtime/strategies/registry.h: the strategy remote.
#include "arch/arch.h"
#include "runtime/base/modules.h"
#include "runtime/sched/scheduler.h"
#include "runtime/strategies/follow/follower.h"

namespace snag::rt {
namespace {

// Asks the tool at every schedule point. Slow, but the tool can decide by anything it knows: it
// replays a schedule in a program that has changed since the recording.
class Remote final : public Follower {
 public:
  constexpr Remote() : Follower(StrategyKind::kRemote) {}

  Tid pick(const World& world) override {
    RemoteExchange& exchange = shared_->remote;
    exchange.current = world.current_enabled ? world.current : kNoTid;
    exchange.op = world.pending[world.current];
    exchange.op.pc = display_pc(sched.current, exchange.op.pc);
    copy_frames(sched.current, exchange.frames);
    exchange.enabled_count = static_cast<std::uint32_t>(world.enabled.size());
    for (std::size_t i = 0; i < world.enabled.size(); ++i) exchange.enabled[i] = world.enabled[i];
    exchange.ignore_pc = 0;
    exchange.turn.store(1, std::memory_order_release);
    futex_wake(&exchange.turn);
    while (exchange.turn.load(std::memory_order_acquire) != 2) futex_wait(&exchange.turn, 1);
    if (exchange.ignore_pc) *pc_flags(exchange.op.pc) |= kIgnoredPc;
    return exchange.answer;
  }
};

constinit Remote the_remote;

}  // namespace

Strategy* remote_strategy(const StrategySettings& settings) {
  the_remote.open(settings.shared);
  return &the_remote;
}

}  // namespace snag::rt
