// Processes: what leaves the controlled world for good.
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "runtime/failure.h"
#include "runtime/interpose.h"
#include "runtime/raw_syscall.h"

using namespace snag;
using namespace snag::rt;

namespace snag::rt {
void finish_main_destructors();
}

// The child is a process of its own with one thread; it goes on natively.
SNAG_INTERPOSE pid_t fork() {
  if (!controlled) return real.fork();
  count_uncontrolled(Uncontrolled::kFork);
  step(OpKind::kExternal, nullptr, SNAG_CALLER);
  const pid_t child = real.fork();
  if (child == 0) controlled = false;
  return child;
}
// A child that borrows its parent's memory would run on the carrier's structures: give it its own.
SNAG_INTERPOSE pid_t vfork() { return fork(); }

SNAG_INTERPOSE int execve(const char* path, char* const* arguments, char* const* environment) {
  if (controlled) count_uncontrolled(Uncontrolled::kExec);
  return real.execve(path, arguments, environment);
}

SNAG_INTERPOSE void exit(int status) {
  if (controlled) {
    // As libc does it for the thread that calls exit; it does so itself for the main thread's variables.
    if (g.current->tid != 0) finish_main_destructors();
    step(OpKind::kThreadExit, nullptr, SNAG_CALLER);
  }
  real.exit(status);
  __builtin_unreachable();
}

SNAG_INTERPOSE ssize_t getrandom(void* buffer, size_t size, unsigned flags) {
  if (controlled) count_uncontrolled(Uncontrolled::kRandom);
  return real.getrandom(buffer, size, flags);
}
