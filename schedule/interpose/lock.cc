// Implements libc: mutexes and read-write locks. A thread waits for one if two attempts to take it
// at once have failed.
#include <errno.h>

#include <algorithm>

#include "schedule/enforce/deadlines.h"
#include "schedule/enforce/enforcer.h"
#include "schedule/enforce/wait_scopes.h"
#include "schedule/interpose/next.h"

using namespace snag::schedule;

namespace {

constexpr int kProcessShared = 128;  // in the kind of libc's mutexes

// `try_once` takes the lock or returns EBUSY; `lock` waits for it.
template <class Try, class Take>
int take(const Wait& wait, Try try_once, Take lock) {
  int result = try_once();
  if (result != EBUSY) return result;
  auto again = [&] {
    result = try_once();
    return result != EBUSY;
  };
  WaitScope scope(wait, attempt(again));
  return scope.needed() ? lock() : result;
}

bool is_shared(const pthread_mutex_t* mutex) { return mutex->__data.__kind & kProcessShared; }
bool is_shared(const pthread_rwlock_t* lock) { return lock->__data.__shared != 0; }

// EBUSY: the owner of the mutex is not about to release it in a condition variable. An owner that
// is about to do so may have lost its processor to this thread: yielding lets it continue and
// returns at once, while a sleep in the kernel takes fifty times as long as the wait itself.
int take_from_waiter(pthread_mutex_t* mutex, std::int64_t deadline) {
  constexpr int kTries = 50;
  constexpr std::int64_t kMoment = 500'000;
  for (int tries = 0; is_approached(mutex); ++tries) {
    if (tries < kTries) {
      snag::relax_processor();
      continue;
    }
    // (ThreadSanitizer does not know the function that takes a clock.)
    const timespec end = real_time_after(std::min(kMoment, deadline - now()));
    const int result = next().pthread_mutex_timedlock(mutex, &end);
    if (result != ETIMEDOUT) return result;
    if (now() >= deadline) break;
  }
  return EBUSY;
}

template <class Take>
int take_mutex(pthread_mutex_t* mutex, std::int64_t deadline, Take lock) {
  int result = next().pthread_mutex_trylock(mutex);
  if (result == EBUSY) result = take_from_waiter(mutex, deadline);
  if (result != EBUSY) return result;
  const Wait wait{WaitKind::kMutex, mutex, nullptr, deadline, is_shared(mutex)};
  return take(
      wait, [=] { return next().pthread_mutex_trylock(mutex); }, lock);
}

template <class Take>
int take_to_read(pthread_rwlock_t* rwlock, std::int64_t deadline, Take lock) {
  const Wait wait{WaitKind::kReadLock, rwlock, nullptr, deadline, is_shared(rwlock)};
  return take(
      wait, [=] { return next().pthread_rwlock_tryrdlock(rwlock); }, lock);
}

template <class Take>
int take_to_write(pthread_rwlock_t* rwlock, std::int64_t deadline, Take lock) {
  const Wait wait{WaitKind::kWriteLock, rwlock, nullptr, deadline, is_shared(rwlock)};
  return take(
      wait, [=] { return next().pthread_rwlock_trywrlock(rwlock); }, lock);
}

// No schedule is active, or the caller is the library itself.
bool is_plain() { return !watching() || inside(); }

}  // namespace

SNAG_INTERPOSE int pthread_mutex_lock(pthread_mutex_t* mutex) {
  if (is_plain()) return next().pthread_mutex_lock(mutex);
  return take_mutex(mutex, kNever, [=] { return next().pthread_mutex_lock(mutex); });
}
SNAG_INTERPOSE int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* time) {
  if (is_plain()) return next().pthread_mutex_timedlock(mutex, time);
  return take_mutex(mutex, deadline_of(CLOCK_REALTIME, time),
                    [=] { return next().pthread_mutex_timedlock(mutex, time); });
}
SNAG_INTERPOSE int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                           const timespec* time) {
  if (is_plain()) return next().pthread_mutex_clocklock(mutex, clock, time);
  return take_mutex(mutex, deadline_of(clock, time),
                    [=] { return next().pthread_mutex_clocklock(mutex, clock, time); });
}
SNAG_INTERPOSE int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  const int result = next().pthread_mutex_trylock(mutex);
  if (result != EBUSY || is_plain()) return result;
  // A thread that counts as blocked in a condition variable must not be seen to hold its mutex.
  let_arrive(mutex);
  return next().pthread_mutex_trylock(mutex);
}
SNAG_INTERPOSE int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  // In libc's mutexes: held, and no thread sleeps for it.
  constexpr int kNotWanted = 1;
  if (__atomic_load_n(&mutex->__data.__lock, __ATOMIC_RELAXED) == kNotWanted)
    return next().pthread_mutex_unlock(mutex);
  WakeScope wake(mutex);
  return next().pthread_mutex_unlock(mutex);
}

SNAG_INTERPOSE int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  if (is_plain()) return next().pthread_rwlock_rdlock(lock);
  return take_to_read(lock, kNever, [=] { return next().pthread_rwlock_rdlock(lock); });
}
SNAG_INTERPOSE int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* time) {
  if (is_plain()) return next().pthread_rwlock_timedrdlock(lock, time);
  return take_to_read(lock, deadline_of(CLOCK_REALTIME, time),
                      [=] { return next().pthread_rwlock_timedrdlock(lock, time); });
}
SNAG_INTERPOSE int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                              const timespec* time) {
  if (is_plain()) return next().pthread_rwlock_clockrdlock(lock, clock, time);
  return take_to_read(lock, deadline_of(clock, time),
                      [=] { return next().pthread_rwlock_clockrdlock(lock, clock, time); });
}
SNAG_INTERPOSE int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  if (is_plain()) return next().pthread_rwlock_wrlock(lock);
  return take_to_write(lock, kNever, [=] { return next().pthread_rwlock_wrlock(lock); });
}
SNAG_INTERPOSE int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* time) {
  if (is_plain()) return next().pthread_rwlock_timedwrlock(lock, time);
  return take_to_write(lock, deadline_of(CLOCK_REALTIME, time),
                       [=] { return next().pthread_rwlock_timedwrlock(lock, time); });
}
SNAG_INTERPOSE int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                              const timespec* time) {
  if (is_plain()) return next().pthread_rwlock_clockwrlock(lock, clock, time);
  return take_to_write(lock, deadline_of(clock, time),
                       [=] { return next().pthread_rwlock_clockwrlock(lock, clock, time); });
}
SNAG_INTERPOSE int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  WakeScope wake(lock);
  return next().pthread_rwlock_unlock(lock);
}
