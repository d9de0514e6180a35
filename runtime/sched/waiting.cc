// Implements scheduler.h: threads that cannot go on. They wait for an object, for a time, or for
// the outside world; and what happens when all of them wait.
#include "arch/arch.h"
#include "runtime/sched/observer.h"
#include "runtime/sched/scheduler.h"
#include "runtime/sched/scheduler_core.h"

namespace snag::rt {
namespace {

// When only spinning threads are left, they go round this often before it is called a livelock:
// more than a loop needs that counts its attempts before it gives up, as far as one can know.
constexpr std::uint32_t kIdleRounds = 100'000;
constexpr std::uint32_t kRoundsPerWait = 64;
// One in so many waits may time out at any moment; the others only when nothing else can happen.
// Sleeps are short more often: that they are too short is what people get wrong.
constexpr std::uint32_t kEarlyTimeoutOdds = 8;
constexpr std::uint32_t kEarlySleepOdds = 2;

void link_waiter(SyncObject* object, Thread* t) {
  t->object = object;
  if (Thread* first = object->waiters) {
    t->next_waiter = first;
    t->previous_waiter = first->previous_waiter;
    first->previous_waiter->next_waiter = t;
    first->previous_waiter = t;
  } else {
    t->next_waiter = t->previous_waiter = t;
    object->waiters = t;
  }
}

void unlink_waiter(Thread* t) {
  SyncObject* object = t->object;
  if (!object) return;
  if (t->next_waiter == t) {
    object->waiters = nullptr;
  } else {
    t->next_waiter->previous_waiter = t->previous_waiter;
    t->previous_waiter->next_waiter = t->next_waiter;
    if (object->waiters == t) object->waiters = t->next_waiter;
  }
  t->object = nullptr;
}

void arm_deadline(Thread* t, std::int64_t deadline, std::uint32_t odds) {
  if (deadline == kNever) return;
  t->timed = true;
  t->deadline = deadline;
  t->next_timed = g.timed;
  g.timed = t;
  // (Drawn in any case: a replay must not get out of step with the recorded run's draws.)
  const bool drawn = g.random.below(odds) == 0;
  t->early = g.early_timeouts || deadline <= g.now || drawn;
  if (t->early && t->state == Thread::kBlocked) {
    g.timeout[t->tid] = 1;
    enable(t);
  }
}

void disarm_deadline(Thread* t) {
  if (!t->timed) return;
  Thread** link = &g.timed;
  while (*link != t) link = &(*link)->next_timed;
  *link = t->next_timed;
  t->timed = t->early = false;
  t->deadline = kNever;
  g.timeout[t->tid] = 0;
}

// Its wait is over before it began, or as soon as nothing else ends it.
bool is_cancelled(const Thread* t) {
  return __builtin_expect(t->cancel_pending, 0) && t->cancel_point && !t->cancel_disabled &&
         !t->exiting;
}

void set_proceed(Thread* t, bool can) {
  if (!can && is_cancelled(t)) {
    t->wake = Wake::kCancelled;
    can = true;
  }
  if (can) {
    t->state = Thread::kRunnable;
    g.timeout[t->tid] = 0;
    enable(t);
  } else {
    t->state = Thread::kBlocked;
    g.timeout[t->tid] = t->timed && t->early;
    if (g.timeout[t->tid]) {
      enable(t);
    } else {
      disable(t);
    }
  }
}

// Follows "waits for what the next one holds" from `t`; if the way leads back, these threads wait
// for ever, whatever the others do.
void check_cycle(Thread* t) {
  Thread* u = t;
  for (std::uint32_t i = 0; i <= g.thread_count; ++i) {
    if (u->state != Thread::kBlocked || u->timed || !u->can_proceed || !u->object) return;
    const Tid owner = u->object->owner;
    if (u == t && g.pending[t->tid].kind == OpKind::kRwWriteLock && holds(t, t->object))
      fail_self_deadlock(t);  // a reader that wants to write waits for itself
    if (owner == kNoTid) return;
    u = &g.threads[owner];
    if (u == t) fail_deadlock(t);
  }
}

bool check_externals() {
  bool any = false;
  for (Thread** link = &g.externals; *link;) {
    Thread* t = *link;
    if (t->ready(t)) {
      *link = t->next_external;
      t->external = false;
      disarm_deadline(t);
      t->wake = Wake::kGranted;
      t->state = Thread::kRunnable;
      g.pending[t->tid].kind = OpKind::kExternal;
      enable(t);
      any = true;
    } else {
      link = &t->next_external;
    }
  }
  return any;
}

void remove_external(Thread* t) {
  for (Thread** link = &g.externals; *link; link = &(*link)->next_external) {
    if (*link == t) {
      *link = t->next_external;
      break;
    }
  }
  t->external = false;
}

// Real time is spent here, and only here. The tool's watchdog ends it if nothing comes.
bool wait_for_outside(std::int64_t limit_ns) {
  count_uncontrolled(Uncontrolled::kExternalWait);
  std::int64_t waited = 0, pause = 20'000;
  while (waited < limit_ns) {
    const timespec request{0, static_cast<long>(pause)};
    raw_syscall(SYS_nanosleep, as_arg(&request), 0);
    waited += pause;
    if (check_externals()) return true;
    if (upcalls.deliver_process_signals()) return g.enabled_count != 0;
    if (pause < 1'000'000) pause += pause / 4;
  }
  return false;
}

// What both kinds of waiting share once the thread is back.
Wake end_of_wait(Thread* t) {
  Wake result = t->wake;
  if (t->state == Thread::kBlocked) {  // picked though nobody woke it: the deadline has passed
    result = Wake::kTimeout;
    t->state = Thread::kRunnable;
    if (t->external) remove_external(t);
    advance_clock(t->deadline);
  }
  unlink_waiter(t);
  disarm_deadline(t);
  t->can_proceed = nullptr;
  t->relock = nullptr;
  t->interruptible = false;
  t->clock_reads = 0;
  // The end of a sleep is what one waits for; everything else that ends by time has missed
  // something.
  OpKind& kind = g.pending[t->tid].kind;
  if (result == Wake::kTimeout && kind != OpKind::kSleep) kind = OpKind::kTimeout;
  log_step(t, 0);
  note_write();
  after_step(t);
  return result;
}

}  // namespace

void make_somebody_ready() {
  if (g.tired_count != 0) {  // everybody else has had a turn
    release_tired();
    return;
  }
  if (g.externals && check_externals()) return;
  if (g.timed) {
    // Something may come from outside before the time is up; what is meant by "in time" there is
    // real time, and a short while of it must do.
    if (g.externals && wait_for_outside(2'000'000)) return;
    Thread* first = g.timed;
    for (Thread* t = g.timed; t; t = t->next_timed) {
      if (t->deadline < first->deadline || (t->deadline == first->deadline && t->tid < first->tid))
        first = t;
    }
    first->early = true;
    g.timeout[first->tid] = 1;
    enable(first);
    return;
  }
  if (g.spinner_count != 0) {
    // Whom they wait for may be outside: then real time has to pass now and then.
    const bool outside = g.externals != nullptr || g.has_children;
    if (++g.idle_rounds > kIdleRounds && !outside) {
      fail_livelock("threads re-read what nobody will ever write");
    }
    if (outside && g.idle_rounds % kRoundsPerWait == 0 && wait_for_outside(100'000)) return;
    release_spinners();
    return;
  }
  if (g.externals) {
    while (g.enabled_count == 0) wait_for_outside(kNever);
    return;
  }
  if (g.has_children) {
    // A child process may release what it shares with us.
    wait_for_outside(1'000'000);
    for (std::uint32_t i = 0; i < g.thread_count; ++i) {
      Thread* t = &g.threads[i];
      if (t->state == Thread::kBlocked && t->can_proceed) object_changed(t->object);
    }
    return;
  }
  fail_deadlock(nullptr);
}

Wake step_when(OpKind kind, SyncObject* object,
               bool (*can_proceed)(const SyncObject*, const Thread*), std::uint64_t pc,
               std::int64_t deadline, bool interruptible) {
  Thread* t = g.current;
  g.pending[t->tid] = {kind, object->address, pc};
  t->wake = Wake::kGranted;
  const auto queue_up = [=] {
    t->can_proceed = can_proceed;
    t->interruptible = interruptible;
    link_waiter(object, t);
  };
  observe_wants(t, kind, object, pc);
  const bool goes_on = can_proceed(object, t);
  if (!goes_on) {
    queue_up();
    t->state = Thread::kBlocked;
    disable(t);
    arm_deadline(t, deadline, kEarlyTimeoutOdds);
    check_cycle(t);
  }
  // Who keeps its turn needs no place in the queue: nobody is there who could change the object.
  bool queued = !goes_on;
  const std::uint8_t flags = reschedule(t, [&] {
    if (queued) return;
    queued = true;
    queue_up();
    arm_deadline(t, deadline, kEarlyTimeoutOdds);  // somebody else may be faster
  });
  const bool waited = t->timed || t->state == Thread::kBlocked || t->wake != Wake::kGranted;
  if (waited) return end_of_wait(t);
  if (queued) {
    unlink_waiter(t);
    t->can_proceed = nullptr;
    t->interruptible = false;
  }
  log_step(t, flags);
  after_step(t);
  return Wake::kGranted;
}

Wake wait_in_queue(SyncObject* object, std::uint64_t pc, std::int64_t deadline, SyncObject* relock,
                   bool (*can_relock)(const SyncObject*, const Thread*), bool interruptible) {
  Thread* t = g.current;
  if (is_cancelled(t)) return Wake::kCancelled;
  const OpKind kind = g.pending[t->tid].kind;
  g.pending[t->tid] = {kind, object->address, pc};
  t->state = Thread::kBlocked;
  t->wake = Wake::kGranted;
  t->wait_pc = pc;
  t->can_proceed = nullptr;
  t->relock = relock;
  t->can_relock = can_relock;
  t->interruptible = interruptible;
  link_waiter(object, t);
  disable(t);
  arm_deadline(t, deadline, kEarlyTimeoutOdds);
  reschedule(t);
  return end_of_wait(t);
}

Wake wait_external(bool (*ready)(Thread*), void* argument, std::uint64_t pc,
                   std::int64_t deadline) {
  Thread* t = g.current;
  if (is_cancelled(t)) return Wake::kCancelled;
  g.pending[t->tid] = {OpKind::kExternal, 0, pc};
  t->state = Thread::kBlocked;
  t->wake = Wake::kGranted;
  t->external = t->interruptible = true;
  t->ready = ready;
  t->ready_argument = argument;
  // At the end of the list: first come, first asked.
  t->next_external = nullptr;
  Thread** link = &g.externals;
  while (*link) link = &(*link)->next_external;
  *link = t;
  disable(t);
  arm_deadline(t, deadline, kEarlyTimeoutOdds);
  reschedule(t);
  return end_of_wait(t);
}

Wake sleep_until(std::int64_t deadline, std::uint64_t pc) {
  Thread* t = g.current;
  if (is_cancelled(t)) return Wake::kCancelled;
  g.pending[t->tid] = {OpKind::kSleep, 0, pc};
  t->state = Thread::kBlocked;
  t->wake = Wake::kGranted;
  t->interruptible = true;
  disable(t);
  arm_deadline(t, deadline, kEarlySleepOdds);
  reschedule(t);
  return end_of_wait(t);
}

void recheck_externals() {
  if (g.externals) check_externals();
}

void object_changed(SyncObject* object) {
  Thread* first = object->waiters;
  if (!first) return;
  Thread* t = first;
  do {
    if (t->can_proceed && t->wake == Wake::kGranted) set_proceed(t, t->can_proceed(object, t));
    t = t->next_waiter;
  } while (t != first);
}

void wake_thread(Thread* t, Wake reason) {
  SyncObject* relock = t->relock;
  if (t->external) remove_external(t);
  unlink_waiter(t);
  disarm_deadline(t);
  t->wake = reason;
  t->relock = nullptr;
  if (reason == Wake::kCancelled) g.pending[t->tid].kind = OpKind::kCancel;
  if (reason == Wake::kInterrupted) g.pending[t->tid].kind = OpKind::kSignal;
  // Woken from a condition variable: competes for the mutex. (Cancelled ones take it again in the
  // ordinary way.)
  if (relock && reason == Wake::kGranted) {
    t->can_proceed = t->can_relock;
    g.pending[t->tid] = {OpKind::kMutexLock, relock->address, t->wait_pc};
    link_waiter(relock, t);
    observe_wants(t, OpKind::kMutexLock, relock, t->wait_pc);
    set_proceed(t, t->can_proceed(relock, t));
    return;
  }
  t->can_proceed = nullptr;
  t->state = Thread::kRunnable;
  enable(t);
}

std::uint32_t queue_length(const SyncObject* object) {
  std::uint32_t length = 0;
  if (const Thread* t = object->waiters) {
    do {
      ++length;
      t = t->next_waiter;
    } while (t != object->waiters);
  }
  return length;
}

std::uint32_t move_queue(SyncObject* from, SyncObject* to, std::uint32_t count) {
  std::uint32_t moved = 0;
  while (moved < count && from->waiters) {
    Thread* t = from->waiters;
    unlink_waiter(t);
    link_waiter(to, t);
    ++moved;
  }
  return moved;
}

std::uint32_t wake_queue(SyncObject* object, std::uint32_t count, std::uint32_t bitset) {
  std::uint32_t woken = 0;
  while (woken < count) {
    std::uint32_t eligible = 0;
    Thread* t = object->waiters;
    for (std::uint32_t i = queue_length(object); i > 0; --i, t = t->next_waiter)
      eligible += (t->bitset & bitset) != 0;
    if (eligible == 0) break;
    // Which one is not promised to anybody; when all are woken the question does not arise.
    std::uint32_t index = eligible > 1 && count - woken < eligible ? choose(eligible) : 0;
    for (t = object->waiters; (t->bitset & bitset) == 0 || index-- != 0;) t = t->next_waiter;
    wake_thread(t, Wake::kGranted);
    ++woken;
  }
  return woken;
}

}  // namespace snag::rt
