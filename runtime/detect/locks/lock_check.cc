#include "runtime/detect/locks/lock_check.h"

#include <stdarg.h>
#include <stdio.h>

#include "arch/arch.h"
#include "runtime/sched/failure.h"
#include "runtime/sched/lock_text.h"

namespace snag::rt {
namespace {

constexpr int kDestroyedKind = -1;  // left by pthread_mutex_destroy
constexpr std::uint64_t kDestroyedTag = 0x9d5c'0000'0000'dead;

constinit std::uint64_t numbered_run = 0;
constinit std::uint32_t next_number = 0;

// `op` is the thread's operation; kNone if the log has no kind for it.
[[noreturn]] __attribute__((format(printf, 4, 5))) void fail_misuse(OpKind op,
                                                                    const SyncObject* object,
                                                                    std::uint64_t pc,
                                                                    const char* format, ...) {
  end_quick_steps();
  sched.pending[sched.current->tid] = {op, object->address, pc};
  sched.shared->run.failure.lock = object->address;
  char message[sizeof(Failure::message)];
  const int begin = snprintf(message, sizeof message, "T%u ", sched.current->tid);
  va_list list;
  va_start(list, format);
  vsnprintf(message + begin, sizeof message - static_cast<std::size_t>(begin), format, list);
  va_end(list);
  fail(FailureKind::kLockMisuse, 0, message, display_pc(sched.current, pc));
}

// A new lock, as far as this run knows.
void begin_lock(SyncObject* object, LockKind what) {
  if (numbered_run != sched.run) {
    numbered_run = sched.run;
    next_number = 0;
  }
  object->what = what;
  object->number = next_number++;
  object->hint_pc = 0;
}

// The memory holds a new lock, which the owner of the old one does not hold.
void replace_lock(SyncObject* object, LockKind what, bool is_free) {
  begin_lock(object, what);
  if (object->owner == kNoTid || object->waiters || !is_free) return;
  Thread* holder = &sched.threads[object->owner];
  object->owner = kNoTid;
  object->count = 0;
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < holder->held_count; ++i) {
    if (holder->tables->held[i] == object) continue;
    holder->tables->held[kept] = holder->tables->held[i];
    places_of(holder)[kept++] = places_of(holder)[i];
  }
  holder->held_count = kept;
}

bool is_copy(const void* lock, std::uint64_t tag) {
  const std::uint64_t original = tag ^ lock_tag(nullptr);
  return tag != 0 && original != reinterpret_cast<std::uint64_t>(lock) && is_known(original);
}

[[noreturn]] void fail_destroyed(const SyncObject* object, const char* what, std::uint64_t pc) {
  fail_misuse(OpKind::kNone, object, pc, "uses %s that was destroyed%s", what,
              place_of(" at ", object->hint_pc).text);
}
[[noreturn]] void fail_copied(const SyncObject* object, const char* what, std::uint64_t pc) {
  fail_misuse(OpKind::kNone, object, pc,
              "uses %s that is a copy of another one, which has been used before", what);
}

bool is_locked(const pthread_mutex_t* mutex) { return mutex->__data.__lock != 0; }
bool is_locked(const pthread_rwlock_t* lock) {
  return (lock->__data.__readers >> 3) != 0 || (lock->__data.__readers & 2) != 0;
}

// Mutexes for which unlocking by another thread than the owner is undefined; the other kinds return
// an error.
bool trusts_its_users(const pthread_mutex_t* mutex) {
  const int kind = mutex->__data.__kind & ~kProcessShared;
  return kind == 0 || kind == 3;
}

// Once the process is about to end, its threads stop where they are, even with locks held. That
// global objects destroy these locks is no error.
bool looks() { return sched.lock_misuse && !sched.process_ends; }

void check_destroy_lock(const SyncObject* object, bool locked, std::uint64_t pc) {
  if (!looks() || object->what == LockKind::kNone || object->robust) return;
  if (object->owner != kNoTid && locked) {
    fail_misuse(OpKind::kNone, object, pc, "destroys %s that T%u holds%s", name_of(object->what),
                object->owner, taken_at(object, object->owner).text);
  }
  if (object->waiters) {
    fail_misuse(OpKind::kNone, object, pc, "destroys %s while T%u is about to lock it",
                name_of(object->what), object->waiters->tid);
  }
}

}  // namespace

void examine(pthread_mutex_t* mutex, SyncObject* object, std::uint64_t pc) {
  const int kind = mutex->__data.__kind;
  if (kind == kDestroyedKind) {
    if (sched.lock_misuse) fail_destroyed(object, "a mutex", pc);
    return;
  }
  const bool is_first = object->what != LockKind::kMutex;
  object->robust = (kind & kRobust) != 0;
  // libc uses all the memory of the other kinds, or another process reads it.
  const bool can_be_tagged = (kind & ~kKindMask) == 0;
  if (!can_be_tagged || tag_of(mutex) == lock_tag(mutex)) {
    if (is_first) begin_lock(object, LockKind::kMutex);
    return;
  }
  if (sched.lock_misuse && is_copy(mutex, tag_of(mutex))) fail_copied(object, "a mutex", pc);
  replace_lock(object, LockKind::kMutex, !is_locked(mutex));
  mutex->__data.__list.__next = reinterpret_cast<__pthread_internal_list*>(lock_tag(mutex));
}

void examine(pthread_rwlock_t* lock, SyncObject* object, std::uint64_t pc) {
  const bool is_first = object->what != LockKind::kRwLock;
  if (lock->__data.__shared != 0 || tag_of(lock) == lock_tag(lock)) {
    if (is_first) begin_lock(object, LockKind::kRwLock);
    return;
  }
  if (sched.lock_misuse) {
    if (tag_of(lock) == kDestroyedTag) fail_destroyed(object, "a read-write lock", pc);
    if (is_copy(lock, tag_of(lock))) fail_copied(object, "a read-write lock", pc);
  }
  replace_lock(object, LockKind::kRwLock, !is_locked(lock));
  lock->__data.__pad2 = lock_tag(lock);
}

void check_unlock(pthread_mutex_t* mutex, SyncObject* object, std::uint64_t pc) {
  if (!sched.lock_misuse) return;
  if (mutex->__data.__kind == kDestroyedKind) fail_destroyed(object, "a mutex", pc);
  if (!trusts_its_users(mutex)) return;
  if (is_copy(mutex, tag_of(mutex))) fail_copied(object, "a mutex", pc);
  if (object->owner != kNoTid) {
    if (!is_locked(mutex)) return;
    fail_misuse(OpKind::kMutexUnlock, object, pc, "unlocks a mutex that T%u holds%s", object->owner,
                taken_at(object, object->owner).text);
  }
  if (!is_locked(mutex))
    fail_misuse(OpKind::kMutexUnlock, object, pc, "unlocks a mutex that no thread has locked");
}

void check_unlock(pthread_rwlock_t* lock, SyncObject* object, std::uint64_t pc) {
  if (!sched.lock_misuse) return;
  const Thread* t = sched.current;
  if (holds(t, object) || t->held_lost != 0) return;
  if (tag_of(lock) == kDestroyedTag) fail_destroyed(object, "a read-write lock", pc);
  if (is_copy(lock, tag_of(lock))) fail_copied(object, "a read-write lock", pc);
  if (!is_locked(lock)) {
    if (object->owner != kNoTid || object->count != 0) return;
    fail_misuse(OpKind::kRwUnlock, object, pc,
                "unlocks a read-write lock that no thread has locked");
  }
  if (object->owner != kNoTid) {
    fail_misuse(OpKind::kRwUnlock, object, pc, "unlocks a read-write lock that T%u holds%s",
                object->owner, taken_at(object, object->owner).text);
  }
  if (object->count == 0) return;
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    if (!holds(&sched.threads[i], object)) continue;
    fail_misuse(OpKind::kRwUnlock, object, pc,
                "unlocks a read-write lock that it does not hold; T%u reads under it%s", i,
                taken_at(object, static_cast<Tid>(i)).text);
  }
}

void check_unlock(pthread_spinlock_t* lock, SyncObject* object, std::uint64_t pc) {
  if (!sched.lock_misuse) return;
  if (object->owner != kNoTid) {
    if (*lock == kUnlockedSpinLock) return;
    fail_misuse(OpKind::kSpinUnlock, object, pc, "unlocks a spin lock that T%u holds%s",
                object->owner, taken_at(object, object->owner).text);
  }
  if (*lock == kUnlockedSpinLock)
    fail_misuse(OpKind::kSpinUnlock, object, pc, "unlocks a spin lock that no thread has locked");
}

void check_destroy(pthread_mutex_t* mutex, SyncObject* object, std::uint64_t pc) {
  if (looks() && mutex->__data.__kind == kDestroyedKind) {
    fail_misuse(OpKind::kNone, object, pc, "destroys a mutex that was destroyed before%s",
                place_of(", at ", object->hint_pc).text);
  }
  check_destroy_lock(object, is_locked(mutex), pc);
}

void check_destroy(pthread_rwlock_t* lock, SyncObject* object, std::uint64_t pc) {
  if (looks() && tag_of(lock) == kDestroyedTag) {
    fail_misuse(OpKind::kNone, object, pc, "destroys a read-write lock that was destroyed before%s",
                place_of(", at ", object->hint_pc).text);
  }
  check_destroy_lock(object, is_locked(lock), pc);
  if (!looks() || object->count == 0 || !is_locked(lock)) return;
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    if (!holds(&sched.threads[i], object)) continue;
    fail_misuse(OpKind::kNone, object, pc, "destroys a read-write lock under which T%u reads%s", i,
                taken_at(object, static_cast<Tid>(i)).text);
  }
}

void check_destroy_queue(const char* what, const SyncObject* object, std::uint64_t pc) {
  if (!looks() || !object->waiters) return;
  const Thread* waiter = object->waiters;
  fail_misuse(OpKind::kNone, object, pc, "destroys %s while T%u waits for it%s", what, waiter->tid,
              place_of(" at ", display_pc(waiter, waiter->wait_pc)).text);
}

void note_destroyed(pthread_mutex_t* mutex, SyncObject* object, std::uint64_t pc) {
  if (tag_of(mutex) == lock_tag(mutex)) mutex->__data.__list.__next = nullptr;
  object->what = LockKind::kNone;
  object->hint_pc = display_pc(sched.current, pc);
}

void note_destroyed(pthread_rwlock_t* lock, SyncObject* object, std::uint64_t pc) {
  if (lock->__data.__shared == 0) lock->__data.__pad2 = kDestroyedTag;
  object->what = LockKind::kNone;
  object->hint_pc = display_pc(sched.current, pc);
}

void check_wait(const SyncObject* condition, pthread_mutex_t* mutex, SyncObject* lock,
                std::uint64_t pc) {
  if (!sched.lock_misuse) return;
  if (lock->owner != sched.current->tid && trusts_its_users(mutex)) {
    if (lock->owner != kNoTid && is_locked(mutex)) {
      fail_misuse(OpKind::kNone, lock, pc,
                  "waits on a condition variable with a mutex that T%u holds%s", lock->owner,
                  taken_at(lock, lock->owner).text);
    }
    if (lock->owner == kNoTid && !is_locked(mutex)) {
      fail_misuse(OpKind::kNone, lock, pc,
                  "waits on a condition variable with a mutex that it has not locked");
    }
  }
  const Thread* other = condition->waiters;
  if (other && other->relock && other->relock != lock) {
    fail_misuse(OpKind::kNone, lock, pc,
                "waits on a condition variable with another mutex than T%u%s", other->tid,
                place_of(", which waits at ", display_pc(other, other->wait_pc)).text);
  }
}

void note_end_of_thread() { sched.ended_with_locks |= sched.current->held_count != 0; }

void check_end_of_run() {
  if (!looks() || !sched.ended_with_locks) return;
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    const Thread* t = &sched.threads[i];
    if (t->state != Thread::kFinished) continue;
    for (std::uint32_t k = t->held_count; k > 0; --k) {
      const SyncObject* object = t->tables->held[k - 1];
      const bool is_held = object->owner == t->tid || object->count != 0;
      if (object->what == LockKind::kNone || object->robust || !is_held) continue;
      char message[400];
      snprintf(message, sizeof message, "T%u ended while it held %s%s", t->tid,
               name_of(object->what), taken_at(object, t->tid).text);
      sched.shared->run.failure.lock = object->address;
      fail_afterwards(FailureKind::kLockMisuse, message, t, places_of(t)[k - 1]);
    }
  }
}

}  // namespace snag::rt
