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

void apply_signal_mask(const Thread* thread) {
  // A trap in a library (see interpose/library_waits.h) that is blocked would kill.
  const std::uint64_t mask = thread->signal_mask & ~(1ull << (SIGILL - 1));
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, as_arg(&mask), 0, 8);
}

}  // namespace snag::rt
