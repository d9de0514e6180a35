// Implements fork, exit and other calls by which a process leaves the controlled world for good.
#include <errno.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "runtime/cover/cover.h"
#include "runtime/detect/locks/lock_check.h"
#include "runtime/interpose/interpose.h"
#include "runtime/interpose/own_descriptors.h"
#include "runtime/sched/failure.h"

using namespace snag;
using namespace snag::rt;

namespace snag::rt {
void finish_main_destructors();
}

// The child is a separate process with one thread, and continues natively.
SNAG_INTERPOSE pid_t fork() {
  if (!controlled) {
    const pid_t child = real.fork();
    if (child == 0 && hook_mode == HookMode::kCovering) cover_forked();
    return child;
  }
  count_uncontrolled(Uncontrolled::kFork);
  step(OpKind::kExternal, nullptr, SNAG_CALLER);
  const pid_t child = real.fork();
  if (child == 0) set_controlled(false);
  if (child > 0) {
    sched.has_children = true;
    note_shared_descriptors();
  }
  return child;
}
// A child that borrows its parent's memory would run on the carrier's structures: give it its own.
SNAG_INTERPOSE pid_t vfork() { return fork(); }

// Threads that were not made by pthread_create would run next to the carrier, through the same
// hooks. It is better to stop than to report nonsense.
namespace {

[[noreturn]] void refuse_foreign_thread(const char* message) {
  count_uncontrolled(Uncontrolled::kForeignThread);
  fail(FailureKind::kUnsupported, 0, message);
}

}  // namespace

SNAG_INTERPOSE int clone(int (*function)(void*), void* stack, int flags, void* argument, ...) {
  va_list list;
  va_start(list, argument);
  void* more[3];
  for (void*& value : more) value = va_arg(list, void*);
  va_end(list);
  if (controlled && (flags & CLONE_VM) && !(flags & CLONE_VFORK)) {
    refuse_foreign_thread(
        "the program makes a thread with clone, which Snag cannot control: use pthread_create");
  }
  using Clone = int (*)(int (*)(void*), void*, int, void*, ...);
  return reinterpret_cast<Clone>(dlsym(RTLD_NEXT, "clone"))(function, stack, flags, argument,
                                                            more[0], more[1], more[2]);
}
SNAG_INTERPOSE int timer_create(clockid_t clock, sigevent* event, timer_t* timer) {
  if (controlled && event && event->sigev_notify == SIGEV_THREAD) {
    refuse_foreign_thread(
        "timer_create with SIGEV_THREAD makes a thread that Snag cannot control: use a signal or a "
        "thread");
  }
  using Create = int (*)(clockid_t, sigevent*, timer_t*);
  return reinterpret_cast<Create>(dlsym(RTLD_NEXT, "timer_create"))(clock, event, timer);
}
SNAG_INTERPOSE int mq_notify(mqd_t queue, const sigevent* event) {
  if (controlled && event && event->sigev_notify == SIGEV_THREAD) {
    refuse_foreign_thread(
        "mq_notify with SIGEV_THREAD makes a thread that Snag cannot control: use mq_receive in a "
        "thread");
  }
  using Notify = int (*)(mqd_t, const sigevent*);
  return reinterpret_cast<Notify>(dlsym(RTLD_NEXT, "mq_notify"))(queue, event);
}

SNAG_INTERPOSE void exit(int status) {
  if (controlled) {
    // As libc does it for the thread that calls exit; it does so itself for the main thread's
    // variables.
    if (sched.current->tid != 0) finish_main_destructors();
    step(OpKind::kThreadExit, nullptr, SNAG_CALLER);
    check_end_of_run();
    sched.process_ends = true;
  }
  real.exit(status);
  __builtin_unreachable();
}

// ---- Starting other programs: they run natively, and that is counted. ----

namespace {

constexpr int kMostArguments = 4096;

// The arguments of execl and its kin, up to the null that ends them.
void collect(const char* first, va_list list, const char** arguments) {
  int count = 0;
  for (const char* a = first; a && count < kMostArguments - 1; a = va_arg(list, const char*))
    arguments[count++] = a;
  arguments[count] = nullptr;
}

}  // namespace

#define SNAG_EXEC(name, parameters, arguments)                                                \
  SNAG_INTERPOSE int name parameters {                                                        \
    static auto* const native = reinterpret_cast<int(*) parameters>(dlsym(RTLD_NEXT, #name)); \
    if (controlled) count_uncontrolled(Uncontrolled::kExec);                                  \
    return native arguments;                                                                  \
  }
SNAG_EXEC(execve, (const char* path, char* const* a, char* const* e), (path, a, e))
SNAG_EXEC(execv, (const char* path, char* const* a), (path, a))
SNAG_EXEC(execvp, (const char* path, char* const* a), (path, a))
SNAG_EXEC(execvpe, (const char* path, char* const* a, char* const* e), (path, a, e))
SNAG_EXEC(fexecve, (int file, char* const* a, char* const* e), (file, a, e))

SNAG_INTERPOSE int execl(const char* path, const char* first, ...) {
  const char* arguments[kMostArguments];
  va_list list;
  va_start(list, first);
  collect(first, list, arguments);
  va_end(list);
  return execv(path, const_cast<char* const*>(arguments));
}
SNAG_INTERPOSE int execlp(const char* path, const char* first, ...) {
  const char* arguments[kMostArguments];
  va_list list;
  va_start(list, first);
  collect(first, list, arguments);
  va_end(list);
  return execvp(path, const_cast<char* const*>(arguments));
}
SNAG_INTERPOSE int execle(const char* path, const char* first, ...) {
  const char* arguments[kMostArguments];
  va_list list;
  va_start(list, first);
  collect(first, list, arguments);
  va_end(list);
  // The environment follows the null.
  va_start(list, first);
  while (va_arg(list, const char*)) {
  }
  char* const* environment = va_arg(list, char* const*);
  va_end(list);
  return execve(path, const_cast<char* const*>(arguments), environment);
}

#define SNAG_SPAWN(result, name, parameters, arguments)                                          \
  SNAG_INTERPOSE result name parameters {                                                        \
    static auto* const native = reinterpret_cast<result(*) parameters>(dlsym(RTLD_NEXT, #name)); \
    if (controlled) {                                                                            \
      count_uncontrolled(Uncontrolled::kFork);                                                   \
      note_shared_descriptors();                                                                 \
    }                                                                                            \
    return native arguments;                                                                     \
  }
SNAG_SPAWN(int, system, (const char* command), (command))
SNAG_SPAWN(FILE*, popen, (const char* command, const char* mode), (command, mode))
SNAG_SPAWN(int, posix_spawn,
           (pid_t * pid, const char* path, const posix_spawn_file_actions_t* f,
            const posix_spawnattr_t* attributes, char* const* a, char* const* e),
           (pid, path, f, attributes, a, e))
SNAG_SPAWN(int, posix_spawnp,
           (pid_t * pid, const char* path, const posix_spawn_file_actions_t* f,
            const posix_spawnattr_t* attributes, char* const* a, char* const* e),
           (pid, path, f, attributes, a, e))

// ---- Random numbers: drawn from the run's seed, so that a replay sees the same. ----

namespace {

void fill_random(void* buffer, std::size_t size) {
  auto* bytes = static_cast<unsigned char*>(buffer);
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<unsigned char>(sched.program_random.next() >> 32);
}

}  // namespace

SNAG_INTERPOSE ssize_t getrandom(void* buffer, size_t size, unsigned flags) {
  if (!controlled) return real.getrandom(buffer, size, flags);
  fill_random(buffer, size);
  return static_cast<ssize_t>(size);
}
SNAG_INTERPOSE int getentropy(void* buffer, size_t size) {
  static auto* const native =
      reinterpret_cast<int (*)(void*, size_t)>(dlsym(RTLD_NEXT, "getentropy"));
  if (!controlled || size > 256) return native(buffer, size);
  fill_random(buffer, size);
  return 0;
}
SNAG_INTERPOSE void arc4random_buf(void* buffer, size_t size) {
  static auto* const native =
      reinterpret_cast<void (*)(void*, size_t)>(dlsym(RTLD_NEXT, "arc4random_buf"));
  if (!controlled) return native(buffer, size);
  fill_random(buffer, size);
}
SNAG_INTERPOSE std::uint32_t arc4random() {
  std::uint32_t value;
  arc4random_buf(&value, sizeof value);
  return value;
}
SNAG_INTERPOSE std::uint32_t arc4random_uniform(std::uint32_t bound) {
  static auto* const native =
      reinterpret_cast<std::uint32_t (*)(std::uint32_t)>(dlsym(RTLD_NEXT, "arc4random_uniform"));
  if (!controlled) return native(bound);
  return bound < 2 ? 0 : sched.program_random.below(bound);
}
// std::random_device::operator() of libstdc++, which asks the processor. Weak: a program that
// contains libstdc++ has its own.
SNAG_INTERPOSE __attribute__((weak)) unsigned snag_random_device(void* self) asm(
    "_ZNSt13random_device9_M_getvalEv");
unsigned snag_random_device(void* self) {
  static auto* const native =
      reinterpret_cast<unsigned (*)(void*)>(dlsym(RTLD_NEXT, "_ZNSt13random_device9_M_getvalEv"));
  if (!controlled) return native ? native(self) : 0;
  return static_cast<unsigned>(sched.program_random.next() >> 32);
}
