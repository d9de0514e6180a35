#include "runtime/sched/debugger_tables.h"

#include <stddef.h>

#include "runtime/sched/observer.h"
#include "runtime/sched/scheduler_state.h"

using namespace snag;
using namespace snag::rt;

#define SNAG_FOR_DEBUGGER extern "C" __attribute__((visibility("default"), used))

SNAG_FOR_DEBUGGER __attribute__((noinline)) void snag_debugger_stop() { asm volatile(""); }
SNAG_FOR_DEBUGGER __attribute__((noinline)) void snag_debugger_failed() { asm volatile(""); }

// The runtime has no debug information about its types, which would only be in the way of the
// program's own: this table says where the script finds what it shows. An entry with an empty name
// is the last.
struct SnagDebuggerField {
  char name[28];
  std::uint32_t value;
};

#define SNAG_OFFSET(type, member) \
  { #type "." #member, offsetof(type, member) }

SNAG_FOR_DEBUGGER constinit const SnagDebuggerField snag_debugger_layout[] = {
    SNAG_OFFSET(Scheduler, current),
    SNAG_OFFSET(Scheduler, step),
    SNAG_OFFSET(Scheduler, thread_count),
    SNAG_OFFSET(Scheduler, shared),
    SNAG_OFFSET(Scheduler, pending),
    SNAG_OFFSET(Scheduler, threads),
    {"Thread", sizeof(Thread)},
    SNAG_OFFSET(Thread, tid),
    SNAG_OFFSET(Thread, state),
    SNAG_OFFSET(Thread, slot),
    SNAG_OFFSET(Thread, spinning),
    SNAG_OFFSET(Thread, external),
    SNAG_OFFSET(Thread, timed),
    SNAG_OFFSET(Thread, context),
    SNAG_OFFSET(Thread, start),
    SNAG_OFFSET(Thread, object),
    SNAG_OFFSET(Thread, name),
    SNAG_OFFSET(SyncObject, address),
    SNAG_OFFSET(SyncObject, owner),
    SNAG_OFFSET(Context, stack_pointer),
    SNAG_OFFSET(Context, thread_pointer),
    {"Op", sizeof(Op)},
    SNAG_OFFSET(Op, kind),
    SNAG_OFFSET(Op, object),
    SNAG_OFFSET(Op, offset),
    {"Shared.stop_step", offsetof(Shared, config) + offsetof(Config, stop_step)},
    {"Shared.backend", offsetof(Shared, live) + offsetof(Live, backend)},
    {"Shared.run_end", offsetof(Shared, run) + offsetof(Run, end)},
    {"Shared.failure_kind", offsetof(Shared, run) + offsetof(Run, failure)},
    {"Shared.failure_message",
     offsetof(Shared, run) + offsetof(Run, failure) + offsetof(Failure, message)},
    {"", 0},
};

SNAG_FOR_DEBUGGER constinit Scheduler* const snag_debugger_scheduler = &sched;

namespace snag::rt {
namespace {

class DebuggerObserver final : public Observer {
 public:
  EventMask init(Shared* shared) override { return shared->config.in_place ? kObservesSteps : 0; }
  void step(const Thread* t, const void*, std::uint64_t) override {
    std::uint64_t& stop = sched.shared->config.stop_step;
    if (stop != sched.step + 1) return;
    // To free a block is one step for each of its words: stop at the first, or behind the last.
    if (sched.pending[t->tid].kind == OpKind::kFree &&
        (sched.log[sched.step].flags & kSilentStep) != 0) {
      ++stop;
      return;
    }
    snag_debugger_stop();
  }
};

constinit DebuggerObserver observer;

}  // namespace

Observer* debugger_observer() { return &observer; }

}  // namespace snag::rt
