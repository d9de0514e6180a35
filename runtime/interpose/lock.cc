// Implements interpose.h: mutexes, read-write locks and spin locks.
//
// The real object keeps its state: a lock is taken by the real trylock, which cannot fail when the
// scheduler says that the lock is free, and released by the real unlock. So its memory always looks
// as the program expects, also to code that the runtime does not see, and in a child process that
// continues natively.
#include <errno.h>
#include <sys/syscall.h>

#include "arch/arch.h"
#include "runtime/cover/lock_waits.h"
#include "runtime/detect/heap/heap.h"
#include "runtime/detect/locks/late_wakeup.h"
#include "runtime/detect/locks/lock_check.h"
#include "runtime/detect/locks/lock_order.h"
#include "runtime/detect/races/races.h"
#include "runtime/interpose/interpose.h"
#include "runtime/sched/failure.h"
#include "runtime/sched/observer.h"

using namespace snag;
using namespace snag::rt;

namespace snag::rt {
namespace {

constexpr std::uint32_t kOwnerDied = 0x40000000;  // FUTEX_OWNER_DIED

constinit bool any_robust = false;

int kind_of(const pthread_mutex_t* mutex) { return mutex->__data.__kind; }

bool free_for_all(const SyncObject* object, const Thread*) { return object->owner == kNoTid; }
bool no_writer(const SyncObject* object, const Thread* t) {
  if (object->owner != kNoTid) return false;
  // Locks of this kind admit no reader while a writer waits.
  const auto* lock = reinterpret_cast<const pthread_rwlock_t*>(object->address);
  if (lock->__data.__flags != PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP || object->count == 0)
    return true;
  const Thread* first = object->waiters;
  for (const Thread* w = first; w; w = w->next_waiter == first ? nullptr : w->next_waiter) {
    if (w != t && sched.pending[w->tid].kind == OpKind::kRwWriteLock &&
        w->state == Thread::kBlocked)
      return false;
  }
  return true;
}
bool nobody_at_all(const SyncObject* object, const Thread*) {
  return object->owner == kNoTid && object->count == 0;
}

struct TryReal {
  bool (*attempt)(void* lock, int* error);
  void* lock;
  int error;
};

bool real_is_free(Thread* t) {
  auto* attempt = static_cast<TryReal*>(t->ready_argument);
  return attempt->attempt(attempt->lock, &attempt->error);
}

// The scheduler found the lock free. An owner that it does not know may still hold it (since before
// the controlled world began, or inside a library): then wait for it as for the outside world.
int take(bool (*attempt)(void*, int*), void* lock, std::uint64_t pc) {
  TryReal state{attempt, lock, 0};
  if (attempt(lock, &state.error)) return state.error;
  wait_external(real_is_free, &state, pc);
  return state.error;
}

// The plain kind, done here: what libc would do, without the call, and without locked instructions,
// since no other thread runs.
bool is_plain(const pthread_mutex_t* mutex) { return mutex->__data.__kind == 0; }

int try_lock_real(pthread_mutex_t* mutex) {
  if (!is_plain(mutex)) return real.pthread_mutex_trylock(mutex);
  if (mutex->__data.__lock != 0) return EBUSY;
  mutex->__data.__lock = 1;
  mutex->__data.__owner = static_cast<int>(thread_id(sched.current->context));
  ++mutex->__data.__nusers;
  return 0;
}

int unlock_real(pthread_mutex_t* mutex) {
  // 2 in the lock word: a thread waits in the kernel, and only libc can wake it.
  if (!is_plain(mutex) || mutex->__data.__lock != 1) return real.pthread_mutex_unlock(mutex);
  mutex->__data.__owner = 0;
  --mutex->__data.__nusers;
  mutex->__data.__lock = 0;
  return 0;
}

bool try_mutex(void* lock, int* error) {
  *error = try_lock_real(static_cast<pthread_mutex_t*>(lock));
  return *error != EBUSY;
}
bool try_read(void* lock, int* error) {
  *error = real.pthread_rwlock_tryrdlock(static_cast<pthread_rwlock_t*>(lock));
  return *error != EBUSY;
}
bool try_write(void* lock, int* error) {
  *error = real.pthread_rwlock_trywrlock(static_cast<pthread_rwlock_t*>(lock));
  return *error != EBUSY;
}
bool try_spin(void* lock, int* error) {
  *error = real.pthread_spin_trylock(static_cast<pthread_spinlock_t*>(lock));
  return *error != EBUSY;
}

// For the reports of the lock checks.
void note_place(Thread* t, std::uint64_t pc) {
  LockPlace& place = places_of(t)[t->held_count];
  place.pcs[0] = pc - code_ranges[0].begin < code_ranges[0].size ? pc : display_pc(t, pc);
  const std::uint32_t depth = t->depth < kCallStackDepth ? t->depth : kCallStackDepth;
  const std::uint32_t count = depth < kStepFrames - 1 ? depth : kStepFrames - 1;
  for (std::uint32_t i = 1; i <= count; ++i) place.pcs[i] = t->tables->calls[depth - i];
  if (count < kStepFrames - 1) place.pcs[count + 1] = 0;
}

void now_owned(SyncObject* object, std::uint64_t pc) {
  object->owner = sched.current->tid;
  object->owner_pc = pc;
  object_changed(object);
  note_held(object, pc);
  race_acquire(reinterpret_cast<void*>(object->address));
}

int lock_mutex(pthread_mutex_t* mutex, std::int64_t deadline, std::uint64_t pc) {
  heap_check_object(mutex, pc);
  SyncObject* object = sync_object(mutex);
  note_use(mutex, object, pc);
  const int kind = kind_of(mutex);
  if (__builtin_expect(object->owner == sched.current->tid && (kind & kKindMask) != 0, 0)) {
    if ((kind & kKindMask) == kErrorCheck) return EDEADLK;
    if ((kind & kKindMask) == kRecursive) {
      const int error = real.pthread_mutex_lock(mutex);
      if (error == 0) {
        silent_step(OpKind::kMutexLock, mutex, pc);
        ++object->count;
      }
      return error;
    }
  }
  const OpKind op = deadline == kNever ? OpKind::kMutexLock : OpKind::kMutexTimedLock;
  if (deadline == kNever) {
    note_wanted(object, false, pc);
    observe_locks(object, false, pc);
  }
  if (step_when(op, object, free_for_all, pc, deadline) == Wake::kTimeout) return ETIMEDOUT;
  return acquire_mutex(mutex, object, pc);
}

void now_held(SyncObject* object, bool write, std::uint64_t pc) {
  note_write();
  auto* lock = reinterpret_cast<void*>(object->address);
  if (write) {
    now_owned(object, pc);
    race_acquire(readers_of(lock));
    return;
  }
  ++object->count;
  object_changed(object);
  note_held(object, pc);
  race_acquire(lock);
}

int lock_rw(pthread_rwlock_t* lock, bool write, std::int64_t deadline, std::uint64_t pc) {
  heap_check_object(lock, pc);
  SyncObject* object = sync_object(lock);
  note_use(lock, object, pc);
  if (object->owner == sched.current->tid) return EDEADLK;
  if (deadline == kNever) {
    note_wanted(object, !write, pc);
    observe_locks(object, !write, pc);
  }
  const Wake wake = step_when(write ? OpKind::kRwWriteLock : OpKind::kRwReadLock, object,
                              write ? nobody_at_all : no_writer, pc, deadline);
  if (wake == Wake::kTimeout) return ETIMEDOUT;
  heap_check_object(lock, pc);
  const int error = take(write ? try_write : try_read, lock, pc);
  if (error != 0) return error;
  now_held(object, write, pc);
  return 0;
}

int try_lock_rw(pthread_rwlock_t* lock, bool write, std::uint64_t pc) {
  step(OpKind::kRwTryLock, lock, pc);
  heap_check_object(lock, pc);
  SyncObject* object = sync_object(lock);
  note_use(lock, object, pc);
  const int error =
      write ? real.pthread_rwlock_trywrlock(lock) : real.pthread_rwlock_tryrdlock(lock);
  if (error != 0) {
    note_read(pc, reinterpret_cast<std::uint64_t>(lock));
    return error;
  }
  now_held(object, write, pc);
  return 0;
}

}  // namespace

bool mutex_available(const SyncObject* object, const Thread*) { return object->owner == kNoTid; }

int acquire_mutex(pthread_mutex_t* mutex, SyncObject* object, std::uint64_t pc) {
  heap_check_object(mutex, pc);
  const int error = take(try_mutex, mutex, pc);
  if (error != 0 && error != EOWNERDEAD) return error;
  if (kind_of(mutex) & kRobust) any_robust = true;
  object->count = 1;
  now_owned(object, pc);
  note_write();
  return error;
}

void release_mutex(pthread_mutex_t* mutex, SyncObject* object, std::uint64_t pc) {
  silent_step(OpKind::kMutexUnlock, mutex, pc);
  race_release(mutex);
  unlock_real(mutex);
  object->owner = kNoTid;
  object->count = 0;
  note_released(object);
  note_write();
  object_changed(object);
}

void abandon_robust_mutexes(Thread* t) {
  if (!any_robust) return;
  for (std::uint32_t i = t->held_count; i > 0; --i) {
    SyncObject* object = t->tables->held[i - 1];
    auto* mutex = reinterpret_cast<pthread_mutex_t*>(object->address);
    // Only mutexes have a kind: for other locks the word means something else, so check that it is
    // a valid kind.
    if (object->owner != t->tid || (kind_of(mutex) & ~(kRobust | 0x83)) != 0 ||
        !(kind_of(mutex) & kRobust))
      continue;
    mutex->__data.__lock = static_cast<int>(kOwnerDied);
    race_release(mutex);
    object->owner = kNoTid;
    object->count = 0;
    object_changed(object);
  }
  // The kernel would walk this list when a kernel thread ends; the next occupant must find it
  // empty.
  void** head = robust_list(t->context);
  head[0] = head;
}

void note_held(SyncObject* object, std::uint64_t pc) {
  Thread* t = sched.current;
  if (t->held_count == kMaxHeld) {
    ++t->held_lost;
    return observe_locked(object, kMaxHeld, pc);
  }
  if (notes_places()) note_place(t, pc);
  t->tables->held[t->held_count++] = object;
  t->held_mask |= 1u << (object->ordinal % 32);
  observe_locked(object, t->held_count - 1, pc);
}

void note_released(SyncObject* object) {
  Thread* t = sched.current;
  if (__builtin_expect(late_wakeup_pending, 0)) late_wakeup_unlocks(object);
  std::uint32_t i = t->held_count;
  while (i > 0 && t->tables->held[i - 1] != object) --i;
  if (i == 0) {
    if (t->held_lost != 0) --t->held_lost;
    return observe_unlocked(object, kMaxHeld);
  }
  observe_unlocked(object, i - 1);
  if (t->held_count == 1) {
    t->held_count = 0;
    t->held_mask = 0;
    return;
  }
  for (; i < t->held_count; ++i) {
    t->tables->held[i - 1] = t->tables->held[i];
    places_of(t)[i - 1] = places_of(t)[i];
  }
  --t->held_count;
  t->held_mask = 0;
  for (i = 0; i < t->held_count; ++i) t->held_mask |= 1u << (t->tables->held[i]->ordinal % 32);
}

}  // namespace snag::rt

// ---- Mutexes. ----

namespace {

int lock_measured(pthread_mutex_t* mutex, std::uint64_t pc) {
  return cover_take_lock(
      mutex, pc, [&] { return real.pthread_mutex_trylock(mutex); },
      [&] { return real.pthread_mutex_lock(mutex); });
}

}  // namespace

SNAG_INTERPOSE int pthread_mutex_lock(pthread_mutex_t* mutex) {
  if (runs_freely())
    return cover_locks_on ? lock_measured(mutex, SNAG_CALLER) : real.pthread_mutex_lock(mutex);
  return lock_mutex(mutex, kNever, SNAG_CALLER);
}
SNAG_INTERPOSE int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* time) {
  if (runs_freely()) return real.pthread_mutex_timedlock(mutex, time);
  if (!valid_time(time)) return EINVAL;
  return lock_mutex(mutex, deadline_of(CLOCK_REALTIME, time), SNAG_CALLER);
}
SNAG_INTERPOSE int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                           const timespec* time) {
  if (runs_freely()) return real.pthread_mutex_clocklock(mutex, clock, time);
  if (!valid_time(time)) return EINVAL;
  return lock_mutex(mutex, deadline_of(clock, time), SNAG_CALLER);
}
SNAG_INTERPOSE int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  if (runs_freely()) return real.pthread_mutex_trylock(mutex);
  const std::uint64_t pc = SNAG_CALLER;
  step(OpKind::kMutexTryLock, mutex, pc);
  heap_check_object(mutex, pc);
  note_use(mutex, sync_object(mutex), pc);
  const int error = try_lock_real(mutex);
  if (error != 0 && error != EOWNERDEAD) {
    note_read(pc, reinterpret_cast<std::uint64_t>(mutex));
    return error;
  }
  SyncObject* object = sync_object(mutex);
  if (kind_of(mutex) & kRobust) any_robust = true;
  if (++object->count == 1) now_owned(object, pc);
  note_write();
  return error;
}
SNAG_INTERPOSE int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  if (runs_freely()) {
    if (cover_locks_on) cover_lock_dropped(mutex);
    return real.pthread_mutex_unlock(mutex);
  }
  const std::uint64_t pc = SNAG_CALLER;
  heap_check_object(mutex, pc);
  SyncObject* object = sync_object(mutex);
  if (__builtin_expect(object->owner != sched.current->tid, 0)) {
    check_unlock(mutex, object, pc);
    const int kind = kind_of(mutex) & kKindMask;
    if (kind == kErrorCheck || kind == kRecursive)
      return real.pthread_mutex_unlock(mutex);  // knows what to answer
  }
  if (object->count > 1) {
    --object->count;
    silent_step(OpKind::kMutexUnlock, mutex, pc);
    return real.pthread_mutex_unlock(mutex);
  }
  release_mutex(mutex, object, pc);
  return 0;
}
SNAG_INTERPOSE int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  if (runs_freely()) return real.pthread_mutex_destroy(mutex);
  const std::uint64_t pc = SNAG_CALLER;
  SyncObject* object = sync_object(mutex);
  check_destroy(mutex, object, pc);
  const int error = real.pthread_mutex_destroy(mutex);
  if (error == 0) note_destroyed(mutex, object, pc);
  return error;
}
SNAG_INTERPOSE void mtx_destroy(mtx_t* mutex) {
  pthread_mutex_destroy(reinterpret_cast<pthread_mutex_t*>(mutex));
}
SNAG_INTERPOSE int mtx_lock(mtx_t* mutex) {
  const int error =
      !runs_freely()   ? lock_mutex(reinterpret_cast<pthread_mutex_t*>(mutex), kNever, SNAG_CALLER)
      : cover_locks_on ? lock_measured(reinterpret_cast<pthread_mutex_t*>(mutex), SNAG_CALLER)
                       : real.pthread_mutex_lock(reinterpret_cast<pthread_mutex_t*>(mutex));
  return error == 0 ? thrd_success : thrd_error;
}
SNAG_INTERPOSE int mtx_timedlock(mtx_t* mutex, const timespec* time) {
  auto* plain = reinterpret_cast<pthread_mutex_t*>(mutex);
  const int error = !runs_freely()
                        ? lock_mutex(plain, deadline_of(CLOCK_REALTIME, time), SNAG_CALLER)
                        : real.pthread_mutex_timedlock(plain, time);
  return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}
SNAG_INTERPOSE int mtx_trylock(mtx_t* mutex) {
  const int error = pthread_mutex_trylock(reinterpret_cast<pthread_mutex_t*>(mutex));
  return error == 0 ? thrd_success : error == EBUSY ? thrd_busy : thrd_error;
}
SNAG_INTERPOSE int mtx_unlock(mtx_t* mutex) {
  return pthread_mutex_unlock(reinterpret_cast<pthread_mutex_t*>(mutex)) == 0 ? thrd_success
                                                                              : thrd_error;
}

// ---- Read-write locks. ----

SNAG_INTERPOSE int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  if (runs_freely()) {
    if (__builtin_expect(!cover_locks_on, 1)) return real.pthread_rwlock_rdlock(lock);
    return cover_take_lock(
        lock, SNAG_CALLER, [&] { return real.pthread_rwlock_tryrdlock(lock); },
        [&] { return real.pthread_rwlock_rdlock(lock); });
  }
  return lock_rw(lock, false, kNever, SNAG_CALLER);
}
SNAG_INTERPOSE int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  if (runs_freely()) {
    if (__builtin_expect(!cover_locks_on, 1)) return real.pthread_rwlock_wrlock(lock);
    return cover_take_lock(
        lock, SNAG_CALLER, [&] { return real.pthread_rwlock_trywrlock(lock); },
        [&] { return real.pthread_rwlock_wrlock(lock); });
  }
  return lock_rw(lock, true, kNever, SNAG_CALLER);
}
SNAG_INTERPOSE int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* time) {
  if (runs_freely()) return real.pthread_rwlock_timedrdlock(lock, time);
  return valid_time(time) ? lock_rw(lock, false, deadline_of(CLOCK_REALTIME, time), SNAG_CALLER)
                          : EINVAL;
}
SNAG_INTERPOSE int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* time) {
  if (runs_freely()) return real.pthread_rwlock_timedwrlock(lock, time);
  return valid_time(time) ? lock_rw(lock, true, deadline_of(CLOCK_REALTIME, time), SNAG_CALLER)
                          : EINVAL;
}
SNAG_INTERPOSE int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                              const timespec* time) {
  if (runs_freely()) return real.pthread_rwlock_clockrdlock(lock, clock, time);
  return valid_time(time) ? lock_rw(lock, false, deadline_of(clock, time), SNAG_CALLER) : EINVAL;
}
SNAG_INTERPOSE int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                              const timespec* time) {
  if (runs_freely()) return real.pthread_rwlock_clockwrlock(lock, clock, time);
  return valid_time(time) ? lock_rw(lock, true, deadline_of(clock, time), SNAG_CALLER) : EINVAL;
}
SNAG_INTERPOSE int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  if (runs_freely()) return real.pthread_rwlock_tryrdlock(lock);
  return try_lock_rw(lock, false, SNAG_CALLER);
}
SNAG_INTERPOSE int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  if (runs_freely()) return real.pthread_rwlock_trywrlock(lock);
  return try_lock_rw(lock, true, SNAG_CALLER);
}
SNAG_INTERPOSE int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  if (runs_freely()) {
    if (cover_locks_on) cover_lock_dropped(lock);
    return real.pthread_rwlock_unlock(lock);
  }
  const std::uint64_t pc = SNAG_CALLER;
  heap_check_object(lock, pc);
  SyncObject* object = sync_object(lock);
  if (object->owner != sched.current->tid) check_unlock(lock, object, pc);
  silent_step(OpKind::kRwUnlock, lock, pc);
  const int error = real.pthread_rwlock_unlock(lock);
  if (object->owner != kNoTid) {
    object->owner = kNoTid;
    race_release(lock);
  } else if (object->count > 0) {
    --object->count;
    race_release_more(readers_of(lock));
  }
  note_released(object);
  note_write();
  object_changed(object);
  return error;
}

SNAG_INTERPOSE int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  if (runs_freely()) return real.pthread_rwlock_destroy(lock);
  const std::uint64_t pc = SNAG_CALLER;
  SyncObject* object = sync_object(lock);
  check_destroy(lock, object, pc);
  const int error = real.pthread_rwlock_destroy(lock);
  if (error == 0) note_destroyed(lock, object, pc);
  return error;
}

// ---- Spin locks. ----

SNAG_INTERPOSE int pthread_spin_lock(pthread_spinlock_t* lock) {
  if (runs_freely()) {
    if (__builtin_expect(!cover_locks_on, 1)) return real.pthread_spin_lock(lock);
    return cover_take_lock(
        lock, SNAG_CALLER, [&] { return real.pthread_spin_trylock(lock); },
        [&] { return real.pthread_spin_lock(lock); });
  }
  const std::uint64_t pc = SNAG_CALLER;
  SyncObject* object = sync_object(const_cast<int*>(lock));
  step_when(OpKind::kSpinLock, object, free_for_all, pc);
  heap_check_object(lock, pc);
  const int error = take(try_spin, const_cast<int*>(lock), pc);
  object->what = LockKind::kSpin;
  now_owned(object, pc);
  note_write();
  return error;
}
SNAG_INTERPOSE int pthread_spin_trylock(pthread_spinlock_t* lock) {
  if (runs_freely()) return real.pthread_spin_trylock(lock);
  const std::uint64_t pc = SNAG_CALLER;
  step(OpKind::kSpinLock, const_cast<int*>(lock), pc);
  heap_check_object(lock, pc);
  const int error = real.pthread_spin_trylock(lock);
  if (error != 0) {
    note_read(pc, reinterpret_cast<std::uint64_t>(lock));
    return error;
  }
  SyncObject* object = sync_object(const_cast<int*>(lock));
  object->what = LockKind::kSpin;
  now_owned(object, pc);
  note_write();
  return 0;
}
SNAG_INTERPOSE int pthread_spin_unlock(pthread_spinlock_t* lock) {
  if (runs_freely()) {
    if (cover_locks_on) cover_lock_dropped(lock);
    return real.pthread_spin_unlock(lock);
  }
  const std::uint64_t pc = SNAG_CALLER;
  heap_check_object(lock, pc);
  SyncObject* object = sync_object(const_cast<int*>(lock));
  if (object->owner != sched.current->tid) check_unlock(lock, object, pc);
  silent_step(OpKind::kSpinUnlock, const_cast<int*>(lock), pc);
  race_release(lock);
  const int error = real.pthread_spin_unlock(lock);
  object->owner = kNoTid;
  note_released(object);
  note_write();
  object_changed(object);
  return error;
}
