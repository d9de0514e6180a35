// Implements condition variables, semaphores, barriers, one-time initialisation, futex words.
//
// Condition variables and barriers live entirely in the scheduler; the program's object is not
// touched (except that the clock and the count are read that its initialiser left there).
// Semaphores and once flags keep their real state.
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/random.h>

#include "arch/arch.h"
#include "runtime/cover/lock_waits.h"
#include "runtime/detect/heap/heap.h"
#include "runtime/detect/locks/late_wakeup.h"
#include "runtime/detect/locks/lock_check.h"
#include "runtime/detect/races/races.h"
#include "runtime/interpose/interpose.h"
#include "runtime/sched/failure.h"

using namespace snag;
using namespace snag::rt;

extern "C" void snag_call_guarded(void (*function)(void), void (*on_unwind)(void*), void* argument);

namespace snag::rt {
namespace {

// ---- Condition variables. ----

int wait_on_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, std::int64_t deadline,
                      std::uint64_t pc) {
  SyncObject* object = sync_object(condition);
  SyncObject* lock = sync_object(mutex);
  test_cancel();
  step(OpKind::kCondWait, condition, pc);
  const std::uint64_t wait_step = sched.step - 1;
  const std::int64_t since = sched.now;
  if (__builtin_expect(late_wakeup_pending, 0)) late_wakeup_waits(object);
  heap_check_object(condition, pc);
  heap_check_object(mutex, pc);
  note_use(mutex, lock, pc);
  check_wait(object, mutex, lock, pc);
  // These know their owner, and refuse.
  const int kind = mutex->__data.__kind & kKindMask;
  if (__builtin_expect(lock->owner != sched.current->tid, 0) &&
      (kind == kErrorCheck || kind == kRecursive) &&
      mutex->__data.__owner != static_cast<int>(thread_id(sched.current->context))) {
    return EPERM;
  }
  // Recursive mutexes are released whatever their depth.
  const std::uint32_t depth = lock->count;
  for (std::uint32_t i = 1; i < depth; ++i) real.pthread_mutex_unlock(mutex);
  release_mutex(mutex, lock, pc);
  sched.current->cancel_point = true;
  sched.pending[sched.current->tid].kind = OpKind::kCondWait;
  const Wake wake = wait_in_queue(object, pc, deadline, lock, mutex_available);
  sched.current->cancel_point = false;
  if (wake == Wake::kTimeout && sched.idle_timeout && object->hint_pc != 0 &&
      sched.shared->config.settings.late_wakeups != LateWakeups::kOff)
    note_idle_timeout(object, lock, wait_step, deadline - since, pc);
  if (wake != Wake::kGranted) step_when(OpKind::kMutexLock, lock, mutex_available, pc);
  const int error = acquire_mutex(mutex, lock, pc);
  for (std::uint32_t i = 1; i < depth; ++i) real.pthread_mutex_lock(mutex);
  lock->count = depth == 0 ? 1 : depth;
  if (wake == Wake::kCancelled) test_cancel();
  if (error == EOWNERDEAD) return error;
  return wake == Wake::kTimeout ? ETIMEDOUT : 0;
}

int wake_condition(pthread_cond_t* condition, bool all, std::uint64_t pc) {
  step(all ? OpKind::kCondBroadcast : OpKind::kCondSignal, condition, pc);
  heap_check_object(condition, pc);
  SyncObject* object = sync_object(condition);
  if (wake_queue(object, all ? UINT32_MAX : 1) == 0) {
    object->hint_pc = pc;
    object->hint_thread = sched.current->tid;
  } else {
    object->hint_pc = 0;
    note_write();
  }
  return 0;
}

clockid_t clock_of(const pthread_cond_t* condition) {
  return condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

// ---- Semaphores. ----

bool semaphore_positive(const SyncObject* object, const Thread*) {
  int value = 0;
  real.sem_getvalue(reinterpret_cast<sem_t*>(object->address), &value);
  return value > 0;
}

int wait_on_semaphore(sem_t* semaphore, std::int64_t deadline, std::uint64_t pc) {
  test_cancel();
  heap_check_object(semaphore, pc);
  sched.current->cancel_point = true;
  const Wake wake =
      step_when(OpKind::kSemWait, sync_object(semaphore), semaphore_positive, pc, deadline, true);
  sched.current->cancel_point = false;
  if (wake == Wake::kCancelled) test_cancel();
  if (wake == Wake::kTimeout || wake == Wake::kInterrupted) {
    errno = wake == Wake::kTimeout ? ETIMEDOUT : EINTR;
    return -1;
  }
  heap_check_object(semaphore, pc);
  const int result = real.sem_trywait(semaphore);
  race_acquire(semaphore);
  note_write();
  object_changed(sync_object(semaphore));
  return result;
}

// ---- Once. ----

constexpr int kOnceDone = 2;
bool nobody_initialises(const SyncObject* object, const Thread*) { return object->owner == kNoTid; }

// The initialisation has ended, perhaps by an exception: it is ordered before the next one.
void once_interrupted(void* opaque) {
  auto* object = static_cast<SyncObject*>(opaque);
  race_release(reinterpret_cast<void*>(object->address));
  object->owner = kNoTid;
  note_write();
  object_changed(object);
}

// ---- Futex words: C++20 wait and notify, latches, barriers, semaphores, futures. ----

long wait_on_futex(std::uint32_t* word, std::uint32_t value, std::int64_t deadline,
                   std::uint32_t bitset, std::uint64_t pc) {
  step(OpKind::kFutexWait, reinterpret_cast<void*>(reinterpret_cast<std::uint64_t>(word) & ~7ull),
       pc);
  if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) {
    errno = EAGAIN;
    return -1;
  }
  sched.current->bitset = bitset;
  const Wake wake = wait_in_queue(sync_object(word), pc, deadline, nullptr, nullptr, true);
  sched.current->bitset = ~0u;
  if (wake == Wake::kGranted || wake == Wake::kSpurious) return 0;
  errno = wake == Wake::kTimeout ? ETIMEDOUT : EINTR;
  return -1;
}

long wake_futex(std::uint32_t* word, std::uint32_t count, std::uint32_t bitset, std::uint64_t pc) {
  step(OpKind::kFutexWake, reinterpret_cast<void*>(reinterpret_cast<std::uint64_t>(word) & ~7ull),
       pc);
  const std::uint32_t woken = wake_queue(sync_object(word), count, bitset);
  if (woken != 0) note_write();
  return woken;
}

}  // namespace

bool controlled_futex(const long* a, std::uint64_t pc, long* result) {
  auto* word = reinterpret_cast<std::uint32_t*>(a[0]);
  const int operation = static_cast<int>(a[1]);
  const auto value = static_cast<std::uint32_t>(a[2]);
  const auto* time = reinterpret_cast<const timespec*>(a[3]);
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
      *result = wait_on_futex(word, value, time ? deadline_after(time) : kNever, ~0u, pc);
      return true;
    case FUTEX_WAIT_BITSET: {
      const clockid_t clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
      *result = wait_on_futex(word, value, time ? deadline_of(clock, time) : kNever,
                              static_cast<std::uint32_t>(a[5]), pc);
      return true;
    }
    case FUTEX_WAKE:
      *result = wake_futex(word, value, ~0u, pc);
      return true;
    case FUTEX_WAKE_BITSET:
      *result = wake_futex(word, value, static_cast<std::uint32_t>(a[5]), pc);
      return true;
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE: {
      step(OpKind::kFutexWake, reinterpret_cast<void*>(a[0] & ~7l), pc);
      if ((operation & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE &&
          *word != static_cast<std::uint32_t>(a[5])) {
        errno = EAGAIN;
        *result = -1;
        return true;
      }
      // The fourth argument is a number here.
      const std::uint32_t woken = wake_queue(sync_object(word), value);
      const std::uint32_t moved =
          move_queue(sync_object(word), sync_object(reinterpret_cast<void*>(a[4])),
                     static_cast<std::uint32_t>(a[3]));
      if (woken + moved != 0) note_write();
      *result = (operation & FUTEX_CMD_MASK) == FUTEX_REQUEUE ? woken : woken + moved;
      return true;
    }
    default:
      return false;
  }
}

}  // namespace snag::rt

SNAG_INTERPOSE int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (runs_freely()) {
    if (cover_locks_on) cover_lock_dropped(mutex);
    return real.pthread_cond_wait(condition, mutex);
  }
  return wait_on_condition(condition, mutex, kNever, SNAG_CALLER);
}
SNAG_INTERPOSE int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                          const timespec* time) {
  if (runs_freely()) {
    if (cover_locks_on) cover_lock_dropped(mutex);
    return real.pthread_cond_timedwait(condition, mutex, time);
  }
  if (!valid_time(time)) return EINVAL;
  return wait_on_condition(condition, mutex, deadline_of(clock_of(condition), time), SNAG_CALLER);
}
SNAG_INTERPOSE int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                          clockid_t clock, const timespec* time) {
  if (runs_freely()) {
    if (cover_locks_on) cover_lock_dropped(mutex);
    return real.pthread_cond_clockwait(condition, mutex, clock, time);
  }
  if (!valid_time(time)) return EINVAL;
  return wait_on_condition(condition, mutex, deadline_of(clock, time), SNAG_CALLER);
}
SNAG_INTERPOSE int pthread_cond_signal(pthread_cond_t* condition) {
  if (runs_freely()) return real.pthread_cond_signal(condition);
  return wake_condition(condition, false, SNAG_CALLER);
}
SNAG_INTERPOSE int pthread_cond_broadcast(pthread_cond_t* condition) {
  if (runs_freely()) return real.pthread_cond_broadcast(condition);
  return wake_condition(condition, true, SNAG_CALLER);
}
// The real one would wait for waiters that the real object does not know, and it has nothing to
// free.
SNAG_INTERPOSE int pthread_cond_destroy(pthread_cond_t* condition) {
  if (runs_freely()) return real.pthread_cond_destroy(condition);
  SyncObject* object = sync_object(condition);
  check_destroy_queue("a condition variable", object, SNAG_CALLER);
  object->hint_pc = 0;
  return 0;
}

SNAG_INTERPOSE int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  auto* c = reinterpret_cast<pthread_cond_t*>(condition);
  auto* m = reinterpret_cast<pthread_mutex_t*>(mutex);
  const int error =
      runs_freely() ? real.pthread_cond_wait(c, m) : wait_on_condition(c, m, kNever, SNAG_CALLER);
  return error == 0 ? thrd_success : thrd_error;
}
SNAG_INTERPOSE int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* time) {
  auto* c = reinterpret_cast<pthread_cond_t*>(condition);
  auto* m = reinterpret_cast<pthread_mutex_t*>(mutex);
  const int error = runs_freely()
                        ? real.pthread_cond_timedwait(c, m, time)
                        : wait_on_condition(c, m, deadline_of(CLOCK_REALTIME, time), SNAG_CALLER);
  return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}
SNAG_INTERPOSE int cnd_signal(cnd_t* condition) {
  auto* c = reinterpret_cast<pthread_cond_t*>(condition);
  return (controlled ? wake_condition(c, false, SNAG_CALLER) : real.pthread_cond_signal(c)) == 0
             ? thrd_success
             : thrd_error;
}
SNAG_INTERPOSE int cnd_broadcast(cnd_t* condition) {
  auto* c = reinterpret_cast<pthread_cond_t*>(condition);
  return (controlled ? wake_condition(c, true, SNAG_CALLER) : real.pthread_cond_broadcast(c)) == 0
             ? thrd_success
             : thrd_error;
}
SNAG_INTERPOSE void cnd_destroy(cnd_t* condition) {
  pthread_cond_destroy(reinterpret_cast<pthread_cond_t*>(condition));
}

SNAG_INTERPOSE int sem_wait(sem_t* semaphore) {
  if (runs_freely()) return real.sem_wait(semaphore);
  return wait_on_semaphore(semaphore, kNever, SNAG_CALLER);
}
SNAG_INTERPOSE int sem_timedwait(sem_t* semaphore, const timespec* time) {
  if (runs_freely()) return real.sem_timedwait(semaphore, time);
  return wait_on_semaphore(semaphore, deadline_of(CLOCK_REALTIME, time), SNAG_CALLER);
}
SNAG_INTERPOSE int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* time) {
  if (runs_freely()) return real.sem_clockwait(semaphore, clock, time);
  return wait_on_semaphore(semaphore, deadline_of(clock, time), SNAG_CALLER);
}
SNAG_INTERPOSE int sem_trywait(sem_t* semaphore) {
  if (runs_freely()) return real.sem_trywait(semaphore);
  const std::uint64_t pc = SNAG_CALLER;
  step(OpKind::kSemTryWait, semaphore, pc);
  heap_check_object(semaphore, pc);
  const int result = real.sem_trywait(semaphore);
  if (result != 0) {
    note_read(pc, reinterpret_cast<std::uint64_t>(semaphore));
    return result;
  }
  race_acquire(semaphore);
  note_write();
  object_changed(sync_object(semaphore));
  return 0;
}
SNAG_INTERPOSE int sem_post(sem_t* semaphore) {
  if (runs_freely()) return real.sem_post(semaphore);
  const std::uint64_t pc = SNAG_CALLER;
  step(OpKind::kSemPost, semaphore, pc);
  heap_check_object(semaphore, pc);
  race_release_more(semaphore);
  const int result = real.sem_post(semaphore);
  note_write();
  object_changed(sync_object(semaphore));
  return result;
}

SNAG_INTERPOSE int pthread_barrier_wait(pthread_barrier_t* barrier) {
  if (runs_freely()) return real.pthread_barrier_wait(barrier);
  const std::uint64_t pc = SNAG_CALLER;
  step(OpKind::kBarrierWait, barrier, pc);
  heap_check_object(barrier, pc);
  SyncObject* object = sync_object(barrier);
  // libc's layout: arrivals, round, count, ...
  const auto needed = reinterpret_cast<const std::uint32_t*>(barrier)[2];
  // Arrivals of the next round must not count for this one: two clocks, in turns.
  const volatile void* round = reinterpret_cast<const char*>(barrier) + object->owner_pc % 2;
  race_release_more(round);
  if (++object->count >= needed) {
    object->count = 0;
    ++object->owner_pc;  // the number of the round: a barrier has no owner
    if (race_detection) clock_clear(reinterpret_cast<const char*>(barrier) + object->owner_pc % 2);
    race_acquire(round);
    wake_queue(object, UINT32_MAX);
    note_write();
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  wait_in_queue(object, pc, kNever, nullptr, nullptr);
  race_acquire(round);
  return 0;
}
SNAG_INTERPOSE int pthread_barrier_destroy(pthread_barrier_t* barrier) {
  if (runs_freely()) return real.pthread_barrier_destroy(barrier);
  check_destroy_queue("a barrier", sync_object(barrier), SNAG_CALLER);
  return 0;
}

SNAG_INTERPOSE int pthread_once(pthread_once_t* control, void (*function)()) {
  if (runs_freely()) return real.pthread_once(control, function);
  const std::uint64_t pc = SNAG_CALLER;
  SyncObject* object = sync_object(control);
  step_when(OpKind::kOnce, object, nobody_initialises, pc);
  race_acquire(control);
  if (*control & kOnceDone) return 0;
  object->owner = sched.current->tid;
  object_changed(object);
  snag_call_guarded(function, once_interrupted, object);
  *control = kOnceDone;
  once_interrupted(object);
  return 0;
}
SNAG_INTERPOSE void call_once(once_flag* flag, void (*function)()) {
  pthread_once(reinterpret_cast<pthread_once_t*>(flag), function);
}

// Function-local statics. Byte 0 of the guard says "done" to the compiler's own quick check.
//
// A program that contains libstdc++ itself (-static-libstdc++) has no other definition of these
// three: without control they do it here, with byte 1 of the guard for "initialisation in
// progress".
namespace {

int native_guard_acquire(unsigned long* guard) {
  if (real.__cxa_guard_acquire) return real.__cxa_guard_acquire(guard);
  auto* bytes = reinterpret_cast<char*>(guard);
  for (;;) {
    if (__atomic_load_n(&bytes[0], __ATOMIC_ACQUIRE)) return 0;
    char idle = 0;
    if (__atomic_compare_exchange_n(&bytes[1], &idle, 1, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
      if (!__atomic_load_n(&bytes[0], __ATOMIC_ACQUIRE)) return 1;
      __atomic_store_n(&bytes[1], 0, __ATOMIC_RELEASE);
      return 0;
    }
    real.sched_yield();
  }
}

void native_guard_end(unsigned long* guard, bool done) {
  if (real.__cxa_guard_release)
    return done ? real.__cxa_guard_release(guard) : real.__cxa_guard_abort(guard);
  auto* bytes = reinterpret_cast<char*>(guard);
  if (done) __atomic_store_n(&bytes[0], 1, __ATOMIC_RELEASE);
  __atomic_store_n(&bytes[1], 0, __ATOMIC_RELEASE);
}

}  // namespace

SNAG_INTERPOSE __attribute__((weak)) int __cxa_guard_acquire(unsigned long* guard) {
  if (runs_freely()) return native_guard_acquire(guard);
  auto* done = reinterpret_cast<volatile char*>(guard);
  SyncObject* object = sync_object(guard);
  step_when(OpKind::kStaticGuard, object, nobody_initialises, SNAG_CALLER);
  race_acquire(guard);
  if (*done) return 0;
  object->owner = sched.current->tid;
  object_changed(object);
  return 1;
}
SNAG_INTERPOSE __attribute__((weak)) void __cxa_guard_release(unsigned long* guard) {
  if (runs_freely()) return native_guard_end(guard, true);
  silent_step(OpKind::kStaticGuard, guard, SNAG_CALLER);
  *reinterpret_cast<volatile char*>(guard) = 1;
  once_interrupted(sync_object(guard));
}
SNAG_INTERPOSE __attribute__((weak)) void __cxa_guard_abort(unsigned long* guard) {
  if (runs_freely()) return native_guard_end(guard, false);
  once_interrupted(sync_object(guard));
}

SNAG_INTERPOSE long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (!runs_freely()) {
    long result;
    if (number == SYS_futex && controlled_futex(a, SNAG_CALLER, &result)) return result;
    if (number == SYS_gettid) return gettid();
    if (number == SYS_sched_setaffinity) return 0;  // has no effect
    if (number == SYS_getcpu)
      return getcpu(reinterpret_cast<unsigned*>(a[0]), reinterpret_cast<unsigned*>(a[1]));
    if (number == SYS_sched_getaffinity &&
        processor_set(static_cast<std::size_t>(a[1]), reinterpret_cast<void*>(a[2]), &result))
      return result;
    // The same as through libc's function of that name.
    if (number == SYS_sched_yield) return sched_yield();
    if (number == SYS_nanosleep)
      return nanosleep(reinterpret_cast<timespec*>(a[0]), reinterpret_cast<timespec*>(a[1]));
    if (number == SYS_read)
      return interposed_read(static_cast<int>(a[0]), reinterpret_cast<void*>(a[1]), a[2]);
    if (number == SYS_write)
      return interposed_write(static_cast<int>(a[0]), reinterpret_cast<void*>(a[1]), a[2]);
    if (number == SYS_getrandom)
      return getrandom(reinterpret_cast<void*>(a[0]), a[1], static_cast<unsigned>(a[2]));
  }
  return real.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
