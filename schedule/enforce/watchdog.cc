#include "schedule/enforce/watchdog.h"

#include <pthread.h>
#include <signal.h>

#include "schedule/enforce/raw.h"
#include "schedule/enforce/sanitizers.h"
#include "schedule/enforce/threads.h"

namespace snag::schedule {
namespace {

constexpr std::int64_t kInterval = 20'000'000;

constinit std::atomic<bool> started{false};
constinit std::atomic<bool> runs{false};
constinit Watched watched{};  // set before the thread starts
// 1: it sleeps until the next schedule. It does so only when there was none for a while: waking it
// for each of many short ones would cost more than they do.
constinit Word idle{0};
constexpr int kIntervalsUntilIdle = 50;

void* run(void*) {
  ++inside_depth;
  runs = true;
  for (int quiet = 0;;) {
    const timespec interval{0, kInterval};
    raw_syscall(SYS_nanosleep, as_arg(&interval));
    quiet = watched.is_active() ? 0 : quiet + 1;
    if (quiet == 0) watched.check();
    if (quiet < kIntervalsUntilIdle) continue;
    idle = 1;
    if (!watched.is_active()) wait_on(idle, 1);
    idle = quiet = 0;
  }
}

void in_child() {
  watched.forget_in_child();
  started = runs = false;
  after_fork_in_child();
}

}  // namespace

void start_watchdog(const Watched& what) {
  if (started.exchange(true)) return;
  watched = what;
  static const bool registered = pthread_atfork(before_fork, after_fork_in_parent, in_child) == 0;
  (void)registered;
  // The program's signals are not for this thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t handle;
  // By the program's function, so that a sanitizer knows the thread; ours does not count it.
  ++inside_depth;
  pthread_create(&handle, &attributes, run, nullptr);
  --inside_depth;
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void wake_watchdog() {
  if (idle.exchange(0) == 1) wake_all(idle);
}

int own_tasks() { return (runs ? 1 : 0) + (has_thread_sanitizer() ? 1 : 0); }

}  // namespace snag::schedule
