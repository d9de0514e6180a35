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
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, as_arg(&thread->signal_mask), 0, 8);
}

}  // namespace snag::rt
