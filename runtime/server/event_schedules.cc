// Implements protocol/event_schedules.h: a thread that waits for an event must wait in the
// scheduler, and only the scheduler knows which threads are blocked.
#include "protocol/event_schedules.h"

#include "arch/arch.h"
#include "runtime/interpose/interpose.h"
#include "runtime/sched/failure.h"

using namespace snag;
using namespace snag::rt;

SNAG_INTERPOSE unsigned snag_runtime_thread() { return sched.current->tid; }
SNAG_INTERPOSE unsigned snag_runtime_thread_count() { return sched.thread_count; }

SNAG_INTERPOSE int snag_runtime_is_blocked(unsigned thread) {
  return sched.threads[thread].state == Thread::kBlocked;
}

// The holder of the lock that the thread waits for; -1 if it waits for something else.
SNAG_INTERPOSE int snag_runtime_holder(unsigned thread) {
  const Thread& t = sched.threads[thread];
  if (t.state != Thread::kBlocked || !t.object || t.object->what == LockKind::kNone) return -1;
  return t.object->owner == kNoTid ? -1 : static_cast<int>(t.object->owner);
}

// Whether the thread can go on without another one: it runs, or waits for a time or for the outside
// world.
SNAG_INTERPOSE int snag_runtime_can_go_on(unsigned thread) {
  const Thread& t = sched.threads[thread];
  return t.state == Thread::kRunnable || (t.state == Thread::kBlocked && (t.timed || t.external));
}

// The current thread waits for an action of another one.
SNAG_INTERPOSE void snag_runtime_let_others_run() {
  const std::uint64_t pc = SNAG_CALLER;
  // The systematic search would consider the steps around it independent, so its result is a
  // sample.
  sched.shared->live.waited_for_event.store(1, std::memory_order_relaxed);
  yield_step(pc);
  note_read(pc, reinterpret_cast<std::uint64_t>(&snag_runtime_let_others_run));
}

// Others may check again.
SNAG_INTERPOSE void snag_runtime_note_event() { note_write(); }

// This interleaving cannot satisfy the schedule: the run counts, but proves nothing.
SNAG_INTERPOSE void snag_runtime_abandon_run() {
  sched.shared->live.waited_for_event.store(1, std::memory_order_relaxed);
  count_uncontrolled(Uncontrolled::kUnmetSchedule);
  raw_exit_process(0);
}
