#include "runtime/sched/signal_mask.h"

#include <signal.h>

#include "arch/arch.h"
#include "runtime/sched/scheduler_state.h"

namespace snag::rt {

std::uint64_t current_signal_mask() {
  std::uint64_t mask = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, as_arg(&mask), 8);
  return mask;
}

namespace {

void apply(std::uint64_t blocked) {
  // A trap in a library (see interpose/library_waits.h) that is blocked would kill.
  const std::uint64_t mask = blocked & ~(1ull << (SIGILL - 1));
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, as_arg(&mask), 0, 8);
}

}  // namespace

void apply_signal_mask(const Thread* thread) { apply(thread->signal_mask); }

void apply_mask_of_waiting_threads() {
  std::uint64_t blocked = sched.current->signal_mask;
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    const Thread* t = &sched.threads[i];
    if (t->state == Thread::kBlocked && t->interruptible) blocked &= t->signal_mask;
  }
  if (blocked != sched.current->signal_mask) apply(blocked);
}

}  // namespace snag::rt
