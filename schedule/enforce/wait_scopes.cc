#include "schedule/enforce/wait_scopes.h"

#include <errno.h>

#include "schedule/enforce/enforcer.h"
#include "schedule/enforce/enforcer_state.h"
#include "schedule/enforce/gate.h"
#include "schedule/enforce/sleepers.h"

namespace snag::schedule {

WaitScope::WaitScope(const Wait& wait, Attempt once_more) {
  if (inside() || is_controlled()) return;
  const int error = errno;
  Thread* self = this_thread();
  if (!self) return;
  if (!watching()) {
    self->wait = wait;
    self->waits_in.store(wait.kind, std::memory_order_release);
    waiting_count.fetch_add(1);
    thread_ = self;
    return;
  }
  Critical critical;
  if (active && active->monitor.mentions_blocking()) {
    forget_sleep(self);
    const Action block = action_of(EventKind::kBlock, self);
    // Before it blocks: it may have to wait here first.
    if (active->settings.mode == Mode::kActive && !active->released &&
        !active->monitor.may_happen(block)) {
      wait_in_snag(critical, self, block, nullptr);
      // It has happened, whatever follows.
      self->reported = true;
    }
  }
  if (once_more.call && once_more.call(once_more.argument)) {
    needed_ = false;
    if (active && self->reported)
      pass(critical, self, action_of(EventKind::kUnblock, self), nullptr);
    self->reported = false;
    errno = error;
    return;
  }
  self->wait = wait;
  self->waits_since = now();
  self->perhaps_awake = self->signalled = false;
  self->leaving = false;
  self->waits_in.store(wait.kind, std::memory_order_release);
  waiting_count.fetch_add(1);
  thread_ = self;
  if (!active) return;
  // A thread that wants the mutex may get it soon.
  if (wait.mutex) {
    for (Thread* t = first_thread(); t; t = t->next) {
      if (t != self && waits_for(t, wait.mutex)) t->perhaps_awake = true;
    }
  }
  if (!self->reported && wait.kind != WaitKind::kOutside && !waits_for_a_moment(self))
    tell_monitor(EventKind::kBlock, self);
  active->last_change = now();
  let_go_on();
  errno = error;
}

WaitScope::~WaitScope() {
  if (!thread_) return;
  const int error = errno;
  Thread* self = thread_;
  if (!watching() && !self->reported) {
    self->waits_in.store(WaitKind::kNone, std::memory_order_release);
    waiting_count.fetch_sub(1);
    return;
  }
  self->leaving = true;
  {
    Critical critical;
    self->waits_in.store(WaitKind::kNone, std::memory_order_release);
    waiting_count.fetch_sub(1);
    self->leaving = false;
    self->perhaps_awake = false;
    if (active && self->reported) {
      active->last_change = now();
      if (active->monitor.mentions_blocking())
        pass(critical, self, action_of(EventKind::kUnblock, self), nullptr);
    }
    self->reported = false;
  }
  errno = error;
}

WakeScope::WakeScope(const void* object) {
  if (!watching() || inside() || is_controlled()) return;
  thread_ = this_thread();
  if (thread_) thread_->waking.store(object, std::memory_order_seq_cst);
}

WakeScope::~WakeScope() {
  if (!thread_) return;
  if (waiting_count.load() > 0) {
    const int error = errno;
    const void* object = thread_->waking.load(std::memory_order_relaxed);
    Critical critical;
    bool any = false;
    for (Thread* t = first_thread(); t; t = t->next) {
      if (t == thread_ || !waits_for(t, object)) continue;
      t->perhaps_awake = true;
      if (t->wait.kind == WaitKind::kCondition) t->signalled = true;
      any = true;
    }
    thread_->waking.store(nullptr);
    if (any && active && !active->waiting.empty() && active->monitor.mentions_blocking())
      wake(active->waiting.front().thread, kLook);
    errno = error;
  }
  thread_->waking.store(nullptr);
}

bool is_approached(const void* object) {
  if (waiting_count.load() == 0 || inside() || is_controlled()) return false;
  Critical critical;
  for (const Thread* t = first_thread(); t; t = t->next) {
    if (is_arriving(t) && (t->wait.object == object || t->wait.mutex == object)) return true;
  }
  return false;
}

void let_arrive(const void* object) {
  // It needs a few instructions; but it may have lost its processor, perhaps to this thread. (A
  // thread that sleeps gets the processor back at once. One that yields comes after all other work
  // of the machine.)
  constexpr int kTries = 50;
  constexpr timespec kMoment{0, 1'000};
  for (int tries = 0; is_approached(object); ++tries) {
    if (tries < kTries)
      relax_processor();
    else
      raw_syscall(SYS_nanosleep, as_arg(&kMoment));
  }
}

int count_waiters(const void* object) {
  int count = 0;
  for (const Thread* t = first_thread(); t; t = t->next) {
    if (waits_for(t, object) && !t->perhaps_awake && !is_being_woken(t)) ++count;
  }
  return count;
}

}  // namespace snag::schedule
