// Misuse of locks: uses that POSIX and C++ leave undefined, and that therefore often seem to work.
// With RunSettings::lock_misuse each is a failure of kind lock-misuse.
//
// Reports only certain errors. Nothing is reported about a lock that was taken before the
// controlled world began, or by another process, since only its real state is known.
//
// A tag in a word of the lock's memory that libc does not use distinguishes the lock from an
// earlier one at the same address, and from a copy: every initialisation of a lock sets the word to
// zero, and the tag contains the address that it belongs to.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/sched/scheduler.h"

namespace snag::rt {

// Bits of pthread_mutex_t::__data.__kind.
inline constexpr int kKindMask = 3;
inline constexpr int kRecursive = 1;
inline constexpr int kErrorCheck = 2;
inline constexpr int kRobust = 16;
inline constexpr int kProcessShared = 128;

inline std::uint64_t lock_tag(const void* lock) {
  constexpr std::uint64_t kMark = 0x9d5c'0000'0000'0001;  // no address has this value
  return reinterpret_cast<std::uint64_t>(lock) ^ kMark;
}
inline std::uint64_t tag_of(const pthread_mutex_t* mutex) {
  return reinterpret_cast<std::uint64_t>(mutex->__data.__list.__next);
}
inline std::uint64_t tag_of(const pthread_rwlock_t* lock) { return lock->__data.__pad2; }

// Call before each operation on a lock: detects a new lock, a copy, and a destroyed one.
void examine(pthread_mutex_t* mutex, SyncObject* object, std::uint64_t pc);
void examine(pthread_rwlock_t* lock, SyncObject* object, std::uint64_t pc);
template <class Lock>
[[gnu::always_inline]] inline void note_use(Lock* lock, SyncObject* object, std::uint64_t pc) {
  if (__builtin_expect(tag_of(lock) != lock_tag(lock) || object->what == LockKind::kNone, 0))
    examine(lock, object, pc);
}

// The current thread unlocks, but is not known to be the owner.
void check_unlock(pthread_mutex_t* mutex, SyncObject* object, std::uint64_t pc);
void check_unlock(pthread_rwlock_t* lock, SyncObject* object, std::uint64_t pc);
void check_unlock(pthread_spinlock_t* lock, SyncObject* object, std::uint64_t pc);

void check_destroy(pthread_mutex_t* mutex, SyncObject* object, std::uint64_t pc);
void check_destroy(pthread_rwlock_t* lock, SyncObject* object, std::uint64_t pc);
// `what` has a queue of waiters: a condition variable, a barrier.
void check_destroy_queue(const char* what, const SyncObject* object, std::uint64_t pc);
// Destroyed: the memory holds another lock from now on.
void note_destroyed(pthread_mutex_t* mutex, SyncObject* object, std::uint64_t pc);
void note_destroyed(pthread_rwlock_t* lock, SyncObject* object, std::uint64_t pc);

void check_wait(const SyncObject* condition, pthread_mutex_t* mutex, SyncObject* lock,
                std::uint64_t pc);
// The current thread is about to end. Locks that it still holds are reported at the end of the run.
// If another thread wants one before that, it is a deadlock.
void note_end_of_thread();
void check_end_of_run();

}  // namespace snag::rt
