#include "runtime/interpose/signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "arch/arch.h"
#include "runtime/detect/races/races.h"
#include "runtime/interpose/interpose.h"
#include "runtime/interpose/library_waits.h"
#include "runtime/sched/failure.h"
#include "runtime/sched/signal_mask.h"

using namespace snag;
using namespace snag::rt;

namespace snag::rt {
namespace {

constexpr std::uint64_t bit_of(int signal) { return 1ull << (signal - 1); }
std::uint64_t to_mask(const sigset_t* set) {
  std::uint64_t mask;
  memcpy(&mask, set, sizeof mask);
  return mask;
}
void from_mask(std::uint64_t mask, sigset_t* set) {
  memset(set, 0, sizeof *set);
  memcpy(set, &mask, sizeof mask);
}

// Synchronous signals are caused by the running instruction and are never postponed.
bool is_synchronous(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
         signal == SIGTRAP || signal == SIGSYS || signal == SIGABRT;
}

// The handlers that the program installed. The kernel is given `postpone` in their place.
struct sigaction handlers[65];
constinit std::uint64_t handled = 0;
constinit std::uint64_t process_pending = 0;  // sent to the process, not yet taken by a thread

int real_sigaction(int signal, const struct sigaction* action, struct sigaction* old) {
  static auto* const function =
      reinterpret_cast<int (*)(int, const struct sigaction*, struct sigaction*)>(
          dlsym(RTLD_NEXT, "sigaction"));
  return function(signal, action, old);
}

// A handler of the program must not run in the middle of the runtime: it waits for the next
// schedule point.
void postpone(int signal, siginfo_t*, void*) {
  if (!controlled) return;
  count_uncontrolled(Uncontrolled::kAsyncSignal);
  process_pending |= bit_of(signal);
  // Not if it was let in for another, waiting thread.
  if ((sched.current->signal_mask & bit_of(signal)) == 0)
    sched.current->pending_signals |= bit_of(signal);
  end_quick_steps();
}

void run_handler(Thread* t, int signal) {
  const struct sigaction action = handlers[signal];
  process_pending &= ~bit_of(signal);
  if (!(handled & bit_of(signal)) || action.sa_handler == SIG_DFL) {
    // No handler: the default action, done by the kernel to the whole process.
    if (signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT) return;
    char message[80] = "killed by signal ";
    strncat(message, strsignal(signal), 50);
    fail(FailureKind::kSignal, signal, message);
  }
  if (action.sa_handler == SIG_IGN) return;
  race_acquire(&handlers[signal]);
  const std::uint64_t mask = t->signal_mask;
  t->signal_mask |= to_mask(&action.sa_mask) | (action.sa_flags & SA_NODEFER ? 0 : bit_of(signal));
  const int saved = errno;
  if (action.sa_flags & SA_SIGINFO) {
    siginfo_t info{};
    info.si_signo = signal;
    info.si_code = SI_TKILL;
    info.si_pid = static_cast<pid_t>(raw_syscall(SYS_getpid));
    info.si_uid = static_cast<uid_t>(raw_syscall(SYS_getuid));
    action.sa_sigaction(signal, &info, nullptr);
  } else {
    action.sa_handler(signal);
  }
  errno = saved;
  sched.current->signal_mask = mask;
}

bool waits_for_signal(const Thread* t, int signal);

// Gives the signal to a thread, which may be waiting for it.
void send(Thread* t, int signal) {
  race_release_more(&handlers[signal]);
  end_quick_steps();
  t->pending_signals |= bit_of(signal);
  if (t->state != Thread::kBlocked) return;
  if (waits_for_signal(t, signal)) {
    recheck_externals();
  } else if (t->interruptible && (t->signal_mask & bit_of(signal)) == 0 &&
             (handled & bit_of(signal)) && handlers[signal].sa_handler != SIG_IGN) {
    wake_thread(t, Wake::kInterrupted);
  }
}

// ---- sigwait and its kin. ----

struct SignalWait {
  std::uint64_t mask;
  int signal;
};

// (The thread need not be the current one: it waits.)
void acquire_sent(const Thread* t, int signal) {
  if (race_detection) clock_acquire(t->tid, &handlers[signal]);
}

bool take_signal(Thread* t, SignalWait* wait) {
  const std::uint64_t here = (t->pending_signals | process_pending) & wait->mask;
  if (here != 0) {
    wait->signal = __builtin_ctzll(here) + 1;
    acquire_sent(t, wait->signal);
    t->pending_signals &= ~bit_of(wait->signal);
    process_pending &= ~bit_of(wait->signal);
    return true;
  }
  // From outside: pending in the kernel, since all threads block it.
  sigset_t set;
  from_mask(wait->mask, &set);
  const timespec now{0, 0};
  const int signal = real.sigtimedwait(&set, nullptr, &now);
  if (signal <= 0) return false;
  wait->signal = signal;
  acquire_sent(t, signal);
  return true;
}

bool signal_came(Thread* t) { return take_signal(t, static_cast<SignalWait*>(t->ready_argument)); }

bool waits_for_signal(const Thread* t, int signal) {
  return t->external && t->ready == signal_came &&
         (static_cast<SignalWait*>(t->ready_argument)->mask & bit_of(signal)) != 0;
}

int wait_for_signal(const sigset_t* set, std::int64_t deadline, std::uint64_t pc) {
  SignalWait wait{to_mask(set), 0};
  test_cancel();
  step(OpKind::kSignal, nullptr, pc);
  if (take_signal(sched.current, &wait)) return wait.signal;
  sched.current->cancel_point = true;
  const Wake wake = wait_external(signal_came, &wait, pc, deadline);
  sched.current->cancel_point = false;
  if (wake == Wake::kCancelled) test_cancel();
  if (wake == Wake::kGranted) return wait.signal;
  errno = wake == Wake::kTimeout ? EAGAIN : EINTR;
  return -1;
}

int change_mask(int how, const sigset_t* set, sigset_t* old) {
  Thread* t = sched.current;
  if (old) from_mask(t->signal_mask, old);
  if (!set) return 0;
  const std::uint64_t mask = to_mask(set);
  if (how == SIG_BLOCK) {
    t->signal_mask |= mask;
  } else if (how == SIG_UNBLOCK) {
    t->signal_mask &= ~mask;
  } else if (how == SIG_SETMASK) {
    t->signal_mask = mask;
  } else {
    return EINVAL;
  }
  t->signal_mask &= ~(bit_of(SIGKILL) | bit_of(SIGSTOP) | bit_of(SIGXCPU));
  apply_signal_mask(t);
  const std::uint64_t due = process_pending & ~t->signal_mask;
  t->pending_signals |= due;
  end_quick_steps();
  if (t->pending_signals & ~t->signal_mask) deliver_signals(t);
  return 0;
}

int send_to_process(int signal) {
  race_release_more(&handlers[signal]);
  // A thread that waits for it, else one that does not block it, the caller first.
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    Thread* t = &sched.threads[i];
    if (t->state == Thread::kBlocked && waits_for_signal(t, signal)) {
      process_pending |= bit_of(signal);
      recheck_externals();
      return 0;
    }
  }
  Thread* receiver = (sched.current->signal_mask & bit_of(signal)) == 0 ? sched.current : nullptr;
  for (std::uint32_t i = 0; !receiver && i < sched.thread_count; ++i) {
    Thread* t = &sched.threads[i];
    if (t->state != Thread::kFinished && (t->signal_mask & bit_of(signal)) == 0) receiver = t;
  }
  if (!receiver) {
    // All threads block it: it stays pending in the kernel, where a signalfd finds it, too.
    raw_syscall(SYS_kill, raw_syscall(SYS_getpid), signal);
    recheck_externals();
    return 0;
  }
  send(receiver, signal);
  if (receiver == sched.current) deliver_signals(receiver);
  return 0;
}

bool ours(int signal) {
  return signal > 0 && signal <= 64 && !is_synchronous(signal) && signal != SIGKILL &&
         signal != SIGSTOP;
}

}  // namespace

void deliver_signals(Thread* t) {
  while (const std::uint64_t due = t->pending_signals & ~t->signal_mask) {
    const int signal = __builtin_ctzll(due) + 1;
    t->pending_signals &= ~bit_of(signal);
    run_handler(t, signal);
  }
}

bool enter_signal_mask(const void* set, std::uint64_t* before) {
  Thread* t = sched.current;
  *before = t->signal_mask;
  if (!set) return true;
  t->signal_mask = to_mask(static_cast<const sigset_t*>(set)) &
                   ~(bit_of(SIGKILL) | bit_of(SIGSTOP) | bit_of(SIGXCPU));
  apply_signal_mask(t);
  t->pending_signals |= process_pending & ~t->signal_mask;
  end_quick_steps();
  if ((t->pending_signals & ~t->signal_mask) == 0) return true;
  deliver_signals(t);
  leave_signal_mask(*before);
  return false;
}

void leave_signal_mask(std::uint64_t before) {
  Thread* t = sched.current;
  if (t->signal_mask == before) return;
  // Signals that arrived meanwhile belong to the other mask.
  if ((t->pending_signals & ~t->signal_mask) != 0) deliver_signals(t);
  t->signal_mask = before;
  apply_signal_mask(t);
}

bool handles_signals() {
  for (int signal = 1; signal <= 64; ++signal) {
    const sighandler_t handler = handlers[signal].sa_handler;
    if (ours(signal) && handler != SIG_DFL && handler != SIG_IGN) return true;
  }
  return false;
}

bool deliver_process_signals() {
  bool any = false;
  for (std::uint32_t i = 0; process_pending != 0 && i < sched.thread_count; ++i) {
    Thread* t = &sched.threads[i];
    const std::uint64_t due = process_pending & ~t->signal_mask;
    if (due == 0 || t->state != Thread::kBlocked || !t->interruptible) continue;
    process_pending &= ~due;
    t->pending_signals |= due;
    wake_thread(t, Wake::kInterrupted);
    any = true;
  }
  return any;
}

}  // namespace snag::rt

SNAG_INTERPOSE int sigaction(int signal, const struct sigaction* action, struct sigaction* old) {
  if (keeps_trap_handler(signal)) return exchange_trap_action(action, old);
  if (signal < 1 || signal > 64 || is_synchronous(signal) || signal == SIGXCPU || !real.read) {
    if (!controlled || !action || !is_synchronous(signal))
      return real_sigaction(signal, action, old);
    // The handler may let another thread run, on the same kernel thread, which may fault, too.
    struct sigaction open = *action;
    open.sa_flags |= SA_NODEFER;
    return real_sigaction(signal, &open, old);
  }
  if (old && (handled & bit_of(signal))) *old = handlers[signal];
  if (!action) return (handled & bit_of(signal)) ? 0 : real_sigaction(signal, nullptr, old);
  if (!controlled) {
    // Before the world begins, or in a native process: as it is, but remembered in case the world
    // begins later.
    const int result = real_sigaction(signal, action, old);
    if (result == 0) handlers[signal] = *action;
    return result;
  }
  struct sigaction substitute = *action;
  const bool plain = action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN;
  if (!plain) {
    substitute.sa_sigaction = postpone;
    substitute.sa_flags = (action->sa_flags & ~(SA_RESETHAND | SA_NODEFER)) | SA_SIGINFO;
  }
  const bool known = handled & bit_of(signal);
  const int result = real_sigaction(signal, &substitute, known ? nullptr : old);
  if (result == 0) {
    handlers[signal] = *action;
    handled |= bit_of(signal);
  }
  return result;
}

SNAG_INTERPOSE sighandler_t signal(int signal, sighandler_t handler) {
  struct sigaction action {
  }, old{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return ::sigaction(signal, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

SNAG_INTERPOSE int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) {
  if (!controlled) return real.pthread_sigmask(how, set, old);
  return change_mask(how, set, old);
}
SNAG_INTERPOSE int sigprocmask(int how, const sigset_t* set, sigset_t* old) {
  if (!controlled) return real.sigprocmask(how, set, old);
  const int error = change_mask(how, set, old);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

SNAG_INTERPOSE int pthread_kill(pthread_t handle, int signal) {
  if (!controlled) return real.pthread_kill(handle, signal);
  const Tid tid = sync_object(reinterpret_cast<void*>(handle))->owner;
  if (tid == kNoTid) return ESRCH;
  if (signal == 0) return sched.threads[tid].state == Thread::kFinished ? ESRCH : 0;
  Thread* t = &sched.threads[tid];
  if (!ours(signal)) return real.pthread_kill(pthread_self(), signal);
  step(OpKind::kSignal, reinterpret_cast<void*>(handle), SNAG_CALLER);
  note_write();
  if (t->state == Thread::kFinished) return 0;
  send(t, signal);
  if (t == sched.current) deliver_signals(t);
  return 0;
}
SNAG_INTERPOSE int raise(int signal) {
  if (controlled && ours(signal)) {
    send(sched.current, signal);
    deliver_signals(sched.current);
    return 0;
  }
  return static_cast<int>(
      raw_syscall(SYS_tgkill, raw_syscall(SYS_getpid), raw_syscall(SYS_gettid), signal));
}
SNAG_INTERPOSE int kill(pid_t pid, int signal) {
  if (controlled && pid == static_cast<pid_t>(raw_syscall(SYS_getpid)) && ours(signal)) {
    step(OpKind::kSignal, nullptr, SNAG_CALLER);
    note_write();
    return send_to_process(signal);
  }
  const long result = raw_syscall(SYS_kill, pid, signal);
  if (result >= 0) return 0;
  errno = static_cast<int>(-result);
  return -1;
}

SNAG_INTERPOSE int sigpending(sigset_t* set) {
  std::uint64_t mask = 0;
  raw_syscall(SYS_rt_sigpending, as_arg(&mask), 8);
  if (controlled) mask |= sched.current->pending_signals | process_pending;
  from_mask(mask, set);
  return 0;
}

SNAG_INTERPOSE int sigwait(const sigset_t* set, int* signal) {
  if (!controlled) return real.sigwait(set, signal);
  const int result = wait_for_signal(set, kNever, SNAG_CALLER);
  if (result < 0) return errno;
  *signal = result;
  return 0;
}
SNAG_INTERPOSE int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  if (!controlled) return real.sigwaitinfo(set, info);
  const int result = wait_for_signal(set, kNever, SNAG_CALLER);
  if (result > 0 && info) {
    *info = {};
    info->si_signo = result;
  }
  return result;
}
SNAG_INTERPOSE int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* time) {
  if (!controlled) return real.sigtimedwait(set, info, time);
  const int result = wait_for_signal(set, deadline_after(time), SNAG_CALLER);
  if (result > 0 && info) {
    *info = {};
    info->si_signo = result;
  }
  return result;
}
