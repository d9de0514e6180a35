// Locks that had to be waited for: Metric::kSync.
//
// A place that takes locks was blocked if a thread had to wait there, and blocking if another
// thread had to wait for a lock that was taken there.
#pragma once

#include <errno.h>

#include <cstdint>

#include "runtime/sched/scheduler.h"

namespace snag::rt {

extern bool cover_locks_on;

// Under control: the thread is about to take the lock, if `kind` is such an operation; it has the
// lock now; it releases the lock.
void cover_want_lock(const Thread* thread, OpKind kind, const SyncObject* lock, std::uint64_t pc);
void cover_got_lock(const SyncObject* lock, std::uint64_t pc);
void cover_released_lock(const SyncObject* lock);

// Running freely: the place of a call that locks, by the calling thread; 0: it does not count.
std::uint32_t cover_lock_place(std::uint64_t pc);
// Where the lock was taken last, if that is known.
std::uint32_t cover_lock_holder(const volatile void* lock);
void cover_lock_taken(const volatile void* lock, std::uint32_t place);
// The lock was released, or its next holder may take it unseen.
void cover_lock_dropped(const volatile void* lock);
void cover_lock_waited(std::uint32_t holder, std::uint32_t place);

// Takes the lock by `attempt`, and if another thread has it, by `wait`. Counts a lower bound:
// neither a thread that waits forever, nor the other readers for which a writer waits.
template <class Attempt, class Wait>
int cover_take_lock(const volatile void* lock, std::uint64_t pc, Attempt attempt, Wait wait) {
  const std::uint32_t place = cover_lock_place(pc);
  int error = attempt();
  if (error == EBUSY) {
    const std::uint32_t holder = cover_lock_holder(lock);
    error = wait();
    if (error == 0 || error == EOWNERDEAD) cover_lock_waited(holder, place);
  }
  if (error == 0 || error == EOWNERDEAD) cover_lock_taken(lock, place);
  return error;
}

}  // namespace snag::rt
