#include "runtime/record/wanted_pair.h"

#include <stdio.h>

#include "runtime/base/modules.h"
#include "runtime/record/open_accesses.h"
#include "runtime/sched/observer.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {

namespace {

constinit WantedPair wanted{};
constinit OpenAccesses open{};

bool is_at(int side, std::uint64_t pc) {
  for (std::uint32_t i = 0; i < wanted.count[side]; ++i) {
    if (wanted.pcs[side][i] == pc) return true;
  }
  return false;
}

class WantedPairObserver final : public Observer {
 public:
  EventMask init(Shared* shared) override {
    wanted = {};
    for (const int side : {0, 1}) {
      for (std::uint32_t i = 0; i < shared->config.wanted.count[side] && i < kMaxWantedPcs; ++i) {
        const std::uint64_t pc = absolute_pc(shared, shared->config.wanted.pcs[side][i]);
        if (pc != 0) wanted.pcs[side][wanted.count[side]++] = pc;
      }
    }
    if (wanted.count[0] == 0 || wanted.count[1] == 0) return 0;
    return kObservesAccesses | kObservesCalls | kObservesMemory | kObservesGuardedMemory;
  }

  void begin_run(const Shared*, bool) override { open.clear(); }

  void accessed(AccessKind, const volatile void* address, std::uint64_t size,
                std::uint64_t pc) override {
    const auto a = reinterpret_cast<std::uint64_t>(address);
    const Tid self = sched.current->tid;
    const Tid before = open.take(a, size, self);
    Run& run = sched.shared->run;
    if (before != kNoTid && run.pair_covered == 0 && is_at(1, pc)) {
      run.pair_covered = 1;
      run.covering_thread = self;
      snprintf(run.covered_message, sizeof run.covered_message,
               "T%u came directly after T%u: the pair is covered", self, before);
    }
    if (is_at(0, pc)) open.add(a, size, self);
  }

  void allocated(const void* begin, std::uint64_t size, bool) override {
    forget(reinterpret_cast<std::uint64_t>(begin), size);
  }
  void left(StackMemory left) override { forget(left.begin, left.size); }
  void stack_left(StackMemory left) override { forget(left.begin, left.size); }

 private:
  static void forget(std::uint64_t begin, std::uint64_t size) {
    if (size != 0) open.take(begin, size, kNoTid);
  }
};

constinit WantedPairObserver observer;

}  // namespace

Observer* wanted_pair_observer() { return &observer; }

const WantedPair& wanted_pair() { return wanted; }

}  // namespace snag::rt
