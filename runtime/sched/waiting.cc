// Implements scheduler.h: threads that cannot go on. They wait for an object, for a time, or for
// the outside world; and what happens when all of them wait.
#include "arch/arch.h"
#include "runtime/sched/observer.h"
#include "runtime/sched/scheduler.h"
#include "runtime/sched/scheduler_core.h"
#include "runtime/sched/signal_mask.h"

namespace snag::rt {
namespace {

// When only spinning threads are left, they iterate this often before it counts as a livelock: more
// than any sensible loop that counts its attempts and then gives up.
constexpr std::uint32_t kIdleRounds = 100'000;
constexpr std::uint32_t kRoundsPerWait = 64;
// One in this many waits may time out at any moment; the rest only when nothing else can happen.
// Sleeps end early more often: sleeps that are too short are a common bug.
constexpr std::uint32_t kEarlyTimeoutOdds = 8;
constexpr std::uint32_t kEarlySleepOdds = 2;

// One in this many waits for a condition variable or a futex may end without a reason.
constexpr std::uint32_t kSpuriousOdds = 16;
// A thread that polls by sleeping, again and again, sleeps longer and longer, so that it does not
// use up all steps of the run before a time comes that is far away.
constexpr std::uint32_t kTimeoutsPerDoubling = 1024, kMostDoublings = 30;
// A cycle of waiting threads is a deadlock, unless one of the others unlocks what it does not own.
// After this many steps none of them will.
constexpr std::uint64_t kCyclePatience = 10'000;

// How many steps the other threads may take before a wait of so many nanoseconds is over: one for
// each microsecond at first, about as long as they take. But a minute must pass in a run of a
// million steps as well.
// Where timeouts are not early, they take more: a thread that has work to do must get to its end
// before a deadline that it would meet.
std::uint64_t steps_in(std::int64_t nanoseconds) {
  const bool early = sched.timeouts == Timeouts::kEarly;
  const std::uint64_t fewest = early ? 16 : 1'000, linear = early ? 2'000 : 50'000;
  const std::uint64_t microseconds =
      nanoseconds < 0 ? 0 : static_cast<std::uint64_t>(nanoseconds) / 1'000;
  if (microseconds < fewest) return fewest;
  if (microseconds < linear) return microseconds;
  return linear * (64 - static_cast<std::uint64_t>(__builtin_clzll(microseconds / linear)));
}

void attend_at(std::uint64_t step) {
  if (step >= sched.attention_step) return;
  sched.attention_step = step;
  end_quick_steps();
}

// From now on its deadline may pass at any step, as long as it waits.
void let_end_early(Thread* t) {
  t->early = true;
  if (t->state != Thread::kBlocked) return;
  sched.timeout[t->tid] = 1;
  enable(t);
}

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
  t->ahead = t->late = false;
  t->deadline = deadline;
  t->waits_since = sched.now;
  t->next_timed = sched.timed;
  sched.timed = t;
  // (Drawn in any case: a replay must not get out of step with the recorded run's draws.)
  const bool drawn = sched.random.below(odds) == 0;
  t->early = sched.early_timeouts || deadline <= sched.now ||
             (drawn && sched.timeouts == Timeouts::kEarly);
  if (t->early) {
    let_end_early(t);
  } else {
    t->due_step = sched.step + steps_in(deadline - sched.now);
    attend_at(t->due_step);
  }
}

// Its wait, which another thread must end, may end without a reason as well.
void allow_spurious_wakeup(Thread* t) {
  // (Drawn in any case, as above.)
  const bool drawn = sched.spurious_random.below(kSpuriousOdds) == 0;
  const bool is_condition = sched.pending[t->tid].kind == OpKind::kCondWait;
  // The systematic search tries it at each condition variable. The futexes of the C++ library are
  // in loops, which would only make its space larger.
  if (sched.systematic ? !is_condition : !drawn) return;
  if (t->spurious_wakeups >= sched.most_spurious) return;
  t->spurious = true;
  sched.timeout[t->tid] = 1;
  enable(t);
}

void disallow_spurious_wakeup(Thread* t) {
  if (!t->spurious) return;
  t->spurious = false;
  sched.timeout[t->tid] = t->timed && t->early;
}

// The timed wait that ends first, of those that cannot end yet; null if there is none.
Thread* next_to_time_out() {
  Thread* first = nullptr;
  for (Thread* t = sched.timed; t; t = t->next_timed) {
    if (t->early) continue;
    if (!first || t->deadline < first->deadline ||
        (t->deadline == first->deadline && t->tid < first->tid))
      first = t;
  }
  return first;
}

// The time comes of the timed wait that ends first.
void let_deadline_pass() {
  Thread* first = next_to_time_out();
  SNAG_CHECK(first != nullptr, "a wait that may end is not enabled");
  if (sched.timeouts == Timeouts::kEarly) {
    let_end_early(first);
    return;
  }
  // With exact deadlines all that are equal pass. With late ones, this thread may sleep on for as
  // long as it has slept, and others whose deadlines come in that time may be faster.
  std::int64_t last = first->deadline;
  if (sched.timeouts == Timeouts::kLate) {
    last = kNever;
    for (const Thread* t = sched.timed; t; t = t->next_timed) {
      std::int64_t end;
      if (!t->early && !__builtin_add_overflow(t->deadline, t->deadline - t->waits_since, &end) &&
          end < last)
        last = end;
    }
  }
  for (Thread* t = sched.timed; t; t = t->next_timed) {
    if (t->early || t->deadline > last) continue;
    t->ahead = t->deadline != first->deadline;
    let_end_early(t);
  }
}

// Whether a thread other than `t` can go on, apart from those that only their deadlines let go on.
bool others_can_go_on(const Thread* t) {
  if (sched.tired_count != 0) return true;
  for (std::uint32_t i = 0; i < sched.enabled_count; ++i) {
    const Thread& u = sched.threads[sched.enabled[i]];
    if (&u != t && u.state == Thread::kRunnable) return true;
  }
  return false;
}

// The deadline of `t` passes now. The flags of that step, if exact timeouts would not allow it:
// another thread can go on, or has an earlier deadline. (If they are exact, so many steps were made
// that they count as time.)
std::uint8_t flags_of_timeout(const Thread* t) {
  if (t->deadline <= sched.now || sched.timeouts == Timeouts::kExact) return 0;
  const bool is_late = sched.timeouts == Timeouts::kLate;
  if (is_late && !t->ahead) return 0;
  bool is_first = true;
  for (Thread* u = sched.timed; u; u = u->next_timed) {
    if (u == t || u->deadline >= t->deadline) continue;
    is_first = false;
    u->late |= is_late;
  }
  if (is_late) return is_first && others_can_go_on(t) ? kOvertakingEnd : 0;
  return !is_first || others_can_go_on(t) ? kEarlyEnd : 0;
}

// Only spinning threads are left, and some of them read the clock as they spin: it goes on while
// they do, not at once to a deadline of others.
bool let_clock_readers_go_on() {
  if (sched.timeouts == Timeouts::kEarly || sched.spinner_count == 0) return false;
  bool any = false;
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    Thread& t = sched.threads[i];
    if (!t.spinning || t.clock_reads == t.clock_reads_seen) continue;
    t.clock_reads_seen = t.clock_reads;
    any = true;
  }
  if (any) release_spinners();
  return any;
}

// Only spinning threads are left, and no time is to pass while a thread has work to do: a loop that
// tries a few times, and then gives up or goes to sleep, gets to its end before the next deadline.
// What has gone on for so long before may only wait for that deadline, and is tried less often.
bool let_spinners_try_again() {
  if (sched.timeouts == Timeouts::kEarly || sched.spinner_count == 0) return false;
  constexpr std::uint32_t kMostRounds = 512, kFewestRounds = 64;
  const std::uint32_t fewer = sched.fruitless_spins < 31 ? sched.fruitless_spins : 31;
  const std::uint32_t rounds = kMostRounds >> fewer;
  if (sched.idle_rounds >= (rounds > kFewestRounds ? rounds : kFewestRounds)) {
    ++sched.fruitless_spins;
    sched.idle_rounds = 0;
    return false;
  }
  ++sched.idle_rounds;
  release_spinners();
  return true;
}

// How long to wait in real time for the outside world before the first deadline passes. A short
// while: it may be that nothing comes. Exact timeouts take more trouble.
std::int64_t outside_before_deadline() {
  constexpr std::int64_t kShort = 2'000'000, kLong = 100'000'000;
  const Thread* first = next_to_time_out();
  if (sched.timeouts != Timeouts::kExact || first == nullptr) return kShort;
  const std::int64_t left = first->deadline - sched.now;
  return left < kShort ? kShort : left < kLong ? left : kLong;
}

void disarm_deadline(Thread* t) {
  if (!t->timed) return;
  Thread** link = &sched.timed;
  while (*link != t) link = &(*link)->next_timed;
  *link = t->next_timed;
  t->timed = t->early = false;
  t->deadline = kNever;
  sched.timeout[t->tid] = 0;
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
    sched.timeout[t->tid] = 0;
    enable(t);
  } else {
    t->state = Thread::kBlocked;
    sched.timeout[t->tid] = t->timed && t->early;
    if (sched.timeout[t->tid]) {
      enable(t);
    } else {
      disable(t);
    }
  }
}

// Follows "waits for what the next one holds" from `t`; if the way leads back, these threads wait
// for each other, and only a thread that unlocks what it does not own can end that.
void check_cycle(Thread* t) {
  Thread* u = t;
  for (std::uint32_t i = 0; i <= sched.thread_count; ++i) {
    if (u->state != Thread::kBlocked || u->timed || !u->can_proceed || !u->object) return;
    const Tid owner = u->object->owner;
    if (u == t && sched.pending[t->tid].kind == OpKind::kRwWriteLock && holds(t, t->object))
      fail_self_deadlock(t);  // a reader that wants to write waits for itself
    if (owner == kNoTid) return;
    u = &sched.threads[owner];
    if (u == t) {
      sched.cycle = t;
      sched.cycle_step = sched.step + kCyclePatience;
      attend_at(sched.cycle_step);
      return;
    }
  }
}

bool check_externals() {
  bool any = false;
  for (Thread** link = &sched.externals; *link;) {
    Thread* t = *link;
    if (t->ready(t)) {
      *link = t->next_external;
      t->external = false;
      disarm_deadline(t);
      t->wake = Wake::kGranted;
      t->state = Thread::kRunnable;
      sched.pending[t->tid].kind = OpKind::kExternal;
      enable(t);
      any = true;
    } else {
      link = &t->next_external;
    }
  }
  return any;
}

void remove_external(Thread* t) {
  for (Thread** link = &sched.externals; *link; link = &(*link)->next_external) {
    if (*link == t) {
      *link = t->next_external;
      break;
    }
  }
  t->external = false;
}

bool await_outside(std::int64_t limit_ns) {
  std::int64_t waited = 0, pause = 20'000;
  while (waited < limit_ns) {
    const timespec request{0, static_cast<long>(pause)};
    raw_syscall(SYS_nanosleep, as_arg(&request), 0);
    waited += pause;
    if (check_externals()) return true;
    if (upcalls.deliver_process_signals()) return sched.enabled_count != 0;
    if (pause < 1'000'000) pause += pause / 4;
  }
  return false;
}

// Real time is spent here, and only here. The tool's watchdog ends it if nothing comes.
bool wait_for_outside(std::int64_t limit_ns) {
  count_uncontrolled(Uncontrolled::kExternalWait);
  // The thread that has just begun to wait, or has ended, may block the signal that another one
  // waits for.
  apply_mask_of_waiting_threads();
  const bool came = await_outside(limit_ns);
  apply_signal_mask(sched.current);
  return came;
}

// Whether all other threads wait: for each other, for `t`, or for a time.
bool all_others_wait(const Thread* t) {
  if (sched.tired_count != 0 || sched.externals != nullptr || sched.has_children) return false;
  for (std::uint32_t i = 0; i < sched.enabled_count; ++i) {
    const Thread& other = sched.threads[sched.enabled[i]];
    if (&other != t && other.state == Thread::kRunnable) return false;
  }
  return true;
}

// Whether somebody else may end one of the waits for the outside world. If not, the threads wait
// for each other, be it by way of the kernel, and no real time need pass.
bool may_come_from_outside() {
  return sched.externals != nullptr &&
         (!upcalls.may_come_from_outside || upcalls.may_come_from_outside());
}

// Common end of both kinds of waiting, once the thread runs again.
Wake end_of_wait(Thread* t) {
  Wake result = t->wake;
  std::uint8_t flags = t->timed && t->late ? kLateEnd : 0;
  if (t->state == Thread::kBlocked) {  // picked without being woken
    const bool times_out = t->timed && t->early;
    result = times_out ? Wake::kTimeout : Wake::kSpurious;
    if (times_out) flags |= flags_of_timeout(t);
    t->state = Thread::kRunnable;
    if (t->external) remove_external(t);
    if (times_out) {
      sched.idle_timeout = all_others_wait(t);
      const std::uint32_t doublings = t->timeouts_in_a_row++ / kTimeoutsPerDoubling;
      const std::int64_t wait = t->deadline - t->waits_since;
      advance_clock(t->deadline);
      if (doublings != 0 && wait > 0)
        pass_time(wait << (doublings < kMostDoublings ? doublings : kMostDoublings));
    } else {
      ++t->spurious_wakeups;
    }
  } else {
    t->timeouts_in_a_row = 0;
  }
  disallow_spurious_wakeup(t);
  unlink_waiter(t);
  disarm_deadline(t);
  t->can_proceed = nullptr;
  t->relock = nullptr;
  t->interruptible = false;
  t->clock_reads = t->clock_polls = 0;
  // The end of a sleep is what one waits for; everything else that ends by time has missed
  // something.
  OpKind& kind = sched.pending[t->tid].kind;
  if (result == Wake::kTimeout && kind != OpKind::kSleep) kind = OpKind::kTimeout;
  if (result == Wake::kSpurious) kind = OpKind::kSpuriousWakeup;
  log_step(t, flags);
  note_write();
  after_step(t);
  return result;
}

}  // namespace

void pass_time(std::int64_t nanoseconds) {
  std::int64_t to = sched.now + nanoseconds;
  const Thread* first = sched.timeouts == Timeouts::kEarly ? nullptr : next_to_time_out();
  const bool passes = first != nullptr && first->deadline <= to;
  if (passes) to = first->deadline;
  advance_clock(to);
  if (passes) let_deadline_pass();
}

void attend() {
  sched.attention_step = kNoStep;
  if (sched.cycle_step != kNoStep) {
    if (sched.step >= sched.cycle_step) {
      sched.cycle_step = kNoStep;
      if (on_cycle(sched.cycle)) fail_deadlock(sched.cycle);
    } else {
      attend_at(sched.cycle_step);
    }
  }
  // Time passes with the steps of others: the deadline that comes first, if one is due.
  bool due = false;
  for (const Thread* t = sched.timed; t; t = t->next_timed)
    due |= !t->early && t->due_step <= sched.step;
  if (due) {
    // The systematic search does not know what that depends on.
    if (sched.systematic) sched.shared->live.waited_for_event.store(1, std::memory_order_relaxed);
    let_deadline_pass();
  }
  for (const Thread* t = sched.timed; t; t = t->next_timed) {
    if (!t->early) attend_at(t->due_step > sched.step ? t->due_step : sched.step + 1);
  }
}

void make_a_thread_ready() {
  if (sched.tired_count != 0) {  // everybody else has had a turn
    release_tired();
    return;
  }
  if (sched.externals && check_externals()) return;
  if (upcalls.poll && upcalls.poll(false)) return;
  if (sched.timed) {
    // Something may come from outside before the deadline. Outside, only real time counts; wait for
    // a short while of it.
    if (may_come_from_outside() && wait_for_outside(outside_before_deadline())) return;
    if (let_clock_readers_go_on() || let_spinners_try_again()) return;
    let_deadline_pass();
    return;
  }
  if (sched.spinner_count != 0) {
    // They may wait for something outside: then real time has to pass now and then.
    bool outside = sched.externals != nullptr || sched.has_children;
    if (++sched.idle_rounds % kRoundsPerWait == 0 && outside) {
      outside = sched.has_children || may_come_from_outside();
      if (outside && wait_for_outside(100'000)) return;
    }
    if (sched.idle_rounds > kIdleRounds && !outside)
      fail_livelock("threads re-read memory that no thread will ever write");
    release_spinners();
    return;
  }
  if (may_come_from_outside()) {
    while (sched.enabled_count == 0) wait_for_outside(kNever);
    return;
  }
  if (sched.has_children) {
    // A child process may release what it shares with us.
    wait_for_outside(1'000'000);
    for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
      Thread* t = &sched.threads[i];
      if (t->state == Thread::kBlocked && t->can_proceed) object_changed(t->object);
    }
    return;
  }
  if (upcalls.poll && upcalls.poll(true)) return;
  fail_deadlock(nullptr);
}

Wake step_when(OpKind kind, SyncObject* object,
               bool (*can_proceed)(const SyncObject*, const Thread*), std::uint64_t pc,
               std::int64_t deadline, bool interruptible) {
  Thread* t = sched.current;
  sched.pending[t->tid] = {kind, object->address, pc};
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
  // A thread that keeps its turn needs no place in the queue: no other thread runs that could
  // change the object.
  bool queued = !goes_on;
  const std::uint8_t flags = reschedule(t, [&] {
    if (queued) return;
    queued = true;
    queue_up();
    arm_deadline(t, deadline, kEarlyTimeoutOdds);  // another thread may be faster
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
  Thread* t = sched.current;
  if (is_cancelled(t)) return Wake::kCancelled;
  const OpKind kind = sched.pending[t->tid].kind;
  sched.pending[t->tid] = {kind, object->address, pc};
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
  if (kind == OpKind::kCondWait || kind == OpKind::kFutexWait) allow_spurious_wakeup(t);
  reschedule(t);
  return end_of_wait(t);
}

Wake wait_external(bool (*ready)(Thread*), void* argument, std::uint64_t pc,
                   std::int64_t deadline) {
  Thread* t = sched.current;
  if (is_cancelled(t)) return Wake::kCancelled;
  sched.pending[t->tid] = {OpKind::kExternal, 0, pc};
  t->state = Thread::kBlocked;
  t->wake = Wake::kGranted;
  t->external = t->interruptible = true;
  t->ready = ready;
  t->ready_argument = argument;
  // At the end of the list: first come, first served.
  t->next_external = nullptr;
  Thread** link = &sched.externals;
  while (*link) link = &(*link)->next_external;
  *link = t;
  disable(t);
  arm_deadline(t, deadline, kEarlyTimeoutOdds);
  reschedule(t);
  return end_of_wait(t);
}

Wake sleep_until(std::int64_t deadline, std::uint64_t pc) {
  Thread* t = sched.current;
  if (is_cancelled(t)) return Wake::kCancelled;
  sched.pending[t->tid] = {OpKind::kSleep, 0, pc};
  t->state = Thread::kBlocked;
  t->wake = Wake::kGranted;
  t->interruptible = true;
  disable(t);
  arm_deadline(t, deadline, kEarlySleepOdds);
  reschedule(t);
  return end_of_wait(t);
}

void recheck_externals() {
  if (sched.externals) check_externals();
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
  disallow_spurious_wakeup(t);
  t->wake = reason;
  t->relock = nullptr;
  if (reason == Wake::kCancelled) sched.pending[t->tid].kind = OpKind::kCancel;
  if (reason == Wake::kInterrupted) sched.pending[t->tid].kind = OpKind::kSignal;
  // Woken from a condition variable: competes for the mutex. (Cancelled ones take it again in the
  // ordinary way.)
  if (relock && reason == Wake::kGranted) {
    t->can_proceed = t->can_relock;
    sched.pending[t->tid] = {OpKind::kMutexLock, relock->address, t->wait_pc};
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
    // The choice of waiter is unspecified, so the strategy makes it, unless all are woken.
    std::uint32_t index = eligible > 1 && count - woken < eligible ? choose(eligible) : 0;
    for (t = object->waiters; (t->bitset & bitset) == 0 || index-- != 0;) t = t->next_waiter;
    wake_thread(t, Wake::kGranted);
    ++woken;
  }
  return woken;
}

}  // namespace snag::rt
