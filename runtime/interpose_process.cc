// Processes: what leaves the controlled world for good.
#include <errno.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
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

// Threads that no pthread_create made would run beside the carrier, through the same hooks. Better to stop than to
// report nonsense.
namespace {

[[noreturn]] void refuse_foreign_thread(const char* message) {
  count_uncontrolled(Uncontrolled::kForeignThread);
  fail(FailureKind::kInternal, 0, message);
}

}  // namespace

SNAG_INTERPOSE int clone(int (*function)(void*), void* stack, int flags, void* argument, ...) {
  va_list list;
  va_start(list, argument);
  void* more[3];
  for (void*& value : more) value = va_arg(list, void*);
  va_end(list);
  if (controlled && (flags & CLONE_VM) && !(flags & CLONE_VFORK)) {
    refuse_foreign_thread("the program makes a thread with clone, which Snag cannot control: use pthread_create");
  }
  using Clone = int (*)(int (*)(void*), void*, int, void*, ...);
  return reinterpret_cast<Clone>(dlsym(RTLD_NEXT, "clone"))(function, stack, flags, argument, more[0], more[1], more[2]);
}
SNAG_INTERPOSE int timer_create(clockid_t clock, sigevent* event, timer_t* timer) {
  if (controlled && event && event->sigev_notify == SIGEV_THREAD) {
    refuse_foreign_thread("timer_create with SIGEV_THREAD makes a thread that Snag cannot control: use a signal or a thread");
  }
  using Create = int (*)(clockid_t, sigevent*, timer_t*);
  return reinterpret_cast<Create>(dlsym(RTLD_NEXT, "timer_create"))(clock, event, timer);
}
SNAG_INTERPOSE int mq_notify(mqd_t queue, const sigevent* event) {
  if (controlled && event && event->sigev_notify == SIGEV_THREAD) {
    refuse_foreign_thread("mq_notify with SIGEV_THREAD makes a thread that Snag cannot control: use mq_receive in a thread");
  }
  using Notify = int (*)(mqd_t, const sigevent*);
  return reinterpret_cast<Notify>(dlsym(RTLD_NEXT, "mq_notify"))(queue, event);
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
