// Implements libc: condition variables, semaphores, barriers, one-time initialisation, and the
// futex words on which the C++ library's futures, latches, barriers, semaphores and atomics wait.
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "schedule/enforce/deadlines.h"
#include "schedule/enforce/enforcer.h"
#include "schedule/enforce/wait_scopes.h"
#include "schedule/interpose/next.h"

using namespace snag::schedule;

namespace {

// In libc's objects.
constexpr unsigned kConditionShared = 1, kConditionMonotonic = 2;
constexpr int kOnceInProgress = 1, kOnceDone = 2;

Wait condition_wait(const pthread_cond_t* condition, const pthread_mutex_t* mutex,
                    std::int64_t deadline) {
  return {WaitKind::kCondition, condition, mutex, deadline,
          (condition->__data.__wrefs & kConditionShared) != 0};
}

bool is_shared(const sem_t* semaphore) {
  return reinterpret_cast<const int*>(semaphore)[2] != 0;  // behind the value
}

template <class Take>
int take_semaphore(sem_t* semaphore, std::int64_t deadline, Take take) {
  const int error = errno;
  if (next().sem_trywait(semaphore) == 0) return 0;
  errno = error;
  auto again = [=] { return next().sem_trywait(semaphore) == 0; };
  WaitScope scope({WaitKind::kSemaphore, semaphore, nullptr, deadline, is_shared(semaphore)},
                  attempt(again));
  return scope.needed() ? take() : 0;
}

bool is_plain() { return !watching() || inside(); }

long futex(std::uint32_t* word, int operation, long value, long time, long word2, long value3) {
  const auto call = [=] {
    return next().syscall(SYS_futex, word, operation, value, time, word2, value3);
  };
  const auto* limit = reinterpret_cast<const timespec*>(time);
  std::int64_t deadline = kNever;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
      deadline = deadline_after(limit);
      break;
    case FUTEX_WAIT_BITSET:
      deadline =
          deadline_of(operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, limit);
      break;
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
    case FUTEX_WAKE_OP: {
      WakeScope wake(word);
      return call();
    }
    default:
      return call();
  }
  auto changed = [=] {
    return __atomic_load_n(word, __ATOMIC_SEQ_CST) != static_cast<std::uint32_t>(value);
  };
  // (That it is not marked as private says nothing: the futures of libstdc++ are not either.)
  WaitScope scope({WaitKind::kFutex, word, nullptr, deadline}, attempt(changed));
  return call();
}

}  // namespace

SNAG_INTERPOSE int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  WaitScope scope(condition_wait(condition, mutex, kNever));
  return next().pthread_cond_wait(condition, mutex);
}
SNAG_INTERPOSE int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                          const timespec* time) {
  const clockid_t clock =
      condition->__data.__wrefs & kConditionMonotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  WaitScope scope(condition_wait(condition, mutex, deadline_of(clock, time)));
  return next().pthread_cond_timedwait(condition, mutex, time);
}
SNAG_INTERPOSE int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                          clockid_t clock, const timespec* time) {
  WaitScope scope(condition_wait(condition, mutex, deadline_of(clock, time)));
  return next().pthread_cond_clockwait(condition, mutex, clock, time);
}
SNAG_INTERPOSE int pthread_cond_signal(pthread_cond_t* condition) {
  WakeScope wake(condition);
  if (!is_plain()) let_arrive(condition);
  return next().pthread_cond_signal(condition);
}
SNAG_INTERPOSE int pthread_cond_broadcast(pthread_cond_t* condition) {
  WakeScope wake(condition);
  if (!is_plain()) let_arrive(condition);
  return next().pthread_cond_broadcast(condition);
}

SNAG_INTERPOSE int sem_wait(sem_t* semaphore) {
  if (inside()) return next().sem_wait(semaphore);
  return take_semaphore(semaphore, kNever, [=] { return next().sem_wait(semaphore); });
}
SNAG_INTERPOSE int sem_timedwait(sem_t* semaphore, const timespec* time) {
  if (inside()) return next().sem_timedwait(semaphore, time);
  return take_semaphore(semaphore, deadline_of(CLOCK_REALTIME, time),
                        [=] { return next().sem_timedwait(semaphore, time); });
}
SNAG_INTERPOSE int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* time) {
  if (inside()) return next().sem_clockwait(semaphore, clock, time);
  return take_semaphore(semaphore, deadline_of(clock, time),
                        [=] { return next().sem_clockwait(semaphore, clock, time); });
}
SNAG_INTERPOSE int sem_post(sem_t* semaphore) {
  WakeScope wake(semaphore);
  return next().sem_post(semaphore);
}

SNAG_INTERPOSE int pthread_barrier_wait(pthread_barrier_t* barrier) {
  if (is_plain()) {
    WaitScope scope({WaitKind::kBarrier, barrier});
    return next().pthread_barrier_wait(barrier);
  }
  // libc's layout: arrivals, round, count. The last one to come does not wait, but wakes all.
  const auto needed = reinterpret_cast<const int*>(barrier)[2];
  auto is_last = [=] { return count_waiters(barrier) + 1 >= needed; };
  {
    WaitScope scope({WaitKind::kBarrier, barrier}, attempt(is_last));
    if (scope.needed()) return next().pthread_barrier_wait(barrier);
  }
  WakeScope wake(barrier);
  return next().pthread_barrier_wait(barrier);
}

SNAG_INTERPOSE int pthread_once(pthread_once_t* control, void (*function)()) {
  const int state = __atomic_load_n(control, __ATOMIC_ACQUIRE);
  if ((state & kOnceDone) || !(state & kOnceInProgress))
    return next().pthread_once(control, function);
  WaitScope scope({WaitKind::kOutside, control, nullptr, kNever, false, "pthread_once"});
  return next().pthread_once(control, function);
}

SNAG_INTERPOSE long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (number != SYS_futex || inside())
    return next().syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  return futex(reinterpret_cast<std::uint32_t*>(a[0]), static_cast<int>(a[1]), a[2], a[3], a[4],
               a[5]);
}
