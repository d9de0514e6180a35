// Vector clocks: what each thread knows of the others, and what it released at the objects by which
// threads synchronise.
//
// Only one thread runs at a time, so nothing here is locked. All clocks are of one run and
// forgotten with it. Besides the clock, a thread has an epoch: a number by which the shadow memory
// remembers accesses. It is new after each release, and never reused in this process. (An acquire
// needs no new epoch: another thread that accessed the same memory since could not be ordered after
// this epoch, and has been checked.)
#pragma once

#include <cstdint>

#include "protocol/ops.h"
#include "protocol/shared_memory.h"

namespace snag::rt {

using Time = std::uint32_t;

struct VectorClock {
  std::uint64_t run;  // of another run: empty
  std::uint32_t size, capacity;
  Time* at;  // by thread; behind `size`: 0
};

struct ThreadClock {
  VectorClock now;
  VectorClock fence_acquire;  // what relaxed loads have seen: an acquire fence makes it known
  VectorClock fence_release;  // the clock at the last release fence
  VectorClock kept;           // its clock before clock_begin_knowing_all
  std::uint32_t epoch;        // current one
  std::uint32_t stack_birth;  // the first epoch of this thread
};

// Epochs beyond this number would not fit into the shadow memory.
inline constexpr std::uint32_t kFirstEpoch = 16;
inline constexpr std::uint32_t kLastEpoch = (1u << 27) - 1;

struct Epoch {
  Tid thread;
  Time time;
};

[[gnu::visibility("hidden")]] extern ThreadClock thread_clocks[kMaxThreads];
// ThreadClock::epoch << 5, as the shadow memory has it: what almost every access needs, alone.
[[gnu::visibility("hidden")]] extern std::uint32_t epoch_words[kMaxThreads];
// Of the current run: epoch number minus run_epoch.
[[gnu::visibility("hidden")]] extern Epoch* epochs;
[[gnu::visibility("hidden")]] extern std::uint32_t run_epoch;

// Forgets everything. True if the epochs restart: then everything remembered by epoch is invalid.
bool reset_clocks();
void clock_thread_created(Tid child, Tid creator);
void clock_thread_joined(Tid ended, Tid joiner);
// A new epoch at the same time: the thread's accesses so far no longer hit the same-epoch fast
// path.
void clock_renew_epoch(Tid thread);

// Memory orders of atomic operations as the compiler passes them.
constexpr bool acquires(int order) {
  return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}
constexpr bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

// The thread acquires the clock of the object.
void clock_acquire(Tid thread, const volatile void* object);
// Releases the thread's clock to the object: replaces the object's clock (a lock that only its
// owner releases), or joins it (semaphores, readers).
void clock_release(Tid thread, const volatile void* object);
void clock_release_more(Tid thread, const volatile void* object);
void clock_release_unseen(Tid thread);
// The thread acquires everything that all threads have done so far; does so again after others ran;
// and in the end goes back to its earlier clock.
void clock_begin_knowing_all(Tid thread, std::uint32_t threads);
void clock_know_all(Tid thread, std::uint32_t threads);
void clock_end_knowing_all(Tid thread);
// Forgets the clock of the object.
void clock_clear(const volatile void* object);

// Atomics, by memory order.
void clock_atomic_load(Tid thread, const volatile void* address, int order);
void clock_atomic_store(Tid thread, const volatile void* address, int order);
void clock_atomic_modify(Tid thread, const volatile void* address, int order);
void clock_fence(Tid thread, int order);

// Whether the epoch of that number came before what `thread` does now.
inline bool happened_before(std::uint32_t number, Tid thread) {
  const Epoch& epoch = epochs[number - run_epoch];
  const VectorClock& clock = thread_clocks[thread].now;
  return epoch.thread < clock.size && clock.at[epoch.thread] >= epoch.time;
}

}  // namespace snag::rt
