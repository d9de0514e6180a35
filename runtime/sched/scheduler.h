// The controlled world: one thread runs at a time, and only this file changes which.
//
// A thread that is about to do something that others could notice calls `step`: the strategy picks
// the next thread, and when it is this thread's turn, the operation is logged and the thread
// continues. A thread that has to wait leaves the enabled set, and an action of another thread
// brings it back. Thus the log of steps is the schedule.
//
// Ground rules for everything under runtime/:
//   - libc and pthread only; no exceptions, no RTTI, no static constructors;
//   - hot paths never call malloc;
//   - only this file switches threads: between two steps the runtime is single-threaded and
//     needs no locks;
//   - nothing depends on an address, on real time or on the kernel's scheduling, or replays
//     would differ;
//   - errno belongs to the program: code that may change it restores it.
#pragma once

#include <cstdint>

#include "arch/arch.h"
#include "protocol/ops.h"
#include "protocol/shared_memory.h"
#include "runtime/sched/call_stack.h"
#include "runtime/sched/scheduler_state.h"
#include "runtime/sched/sync_objects.h"

namespace snag::rt {

// Creates the world with the caller as thread 0.
void begin_world(Context* main_context, Strategy* strategy, const RunPlan& plan, Shared* shared);
// Makes a thread; it is enabled from now on. Null if there are too many.
Thread* add_thread(Context* context, Thread* creator);

// A step of the current thread on `object`: the strategy may let others go first.
void step(OpKind kind, const void* object, std::uint64_t pc);
// A step that accesses memory: `object` is the word of `address`. Neighbours in a word count as one
// object, so that overlapping accesses of different sizes conflict.
void access_step(OpKind kind, std::uint64_t object, std::uint64_t pc, const volatile void* address,
                 std::uint64_t size);
inline std::uint64_t word_of(const volatile void* address) {
  return reinterpret_cast<std::uint64_t>(address) & ~7ull;
}
// The same, inline, for the compiler's hooks: while only one thread is enabled and nothing changes,
// its steps go to the log only. (Not to `pending`: no strategy reads it meanwhile.)
[[gnu::always_inline]] inline void quick_step(OpKind kind, const volatile void* address,
                                              std::uint64_t size, std::uint64_t pc) {
  const std::uint64_t number = sched.step;
  const std::uint64_t object = word_of(address);
  if (__builtin_expect(number >= sched.quick_until, 0))
    return access_step(kind, object, pc, address, size);
  const Thread* t = sched.current;
  const std::uint8_t flags = step_offset_flags(reinterpret_cast<std::uint64_t>(address));
  sched.log[number] = {pc, object, t->tid, kind, flags, t->caller_hint};
  sched.step = number + 1;
  sched.published_steps->store(number + 1, std::memory_order_relaxed);
}
// A step without a decision: a release needs none, since the next step is one.
void silent_step(OpKind kind, const void* object, std::uint64_t pc);
// A step that lets another thread go first if one is enabled.
void yield_step(std::uint64_t pc);
// A step that also waits until `can_proceed` holds; it is called again whenever the object changes.
Wake step_when(OpKind kind, SyncObject* object,
               bool (*can_proceed)(const SyncObject*, const Thread*), std::uint64_t pc,
               std::int64_t deadline = kNever, bool interruptible = false);
// Waits in the object's queue until `wake_one` or `wake_all`. No step is logged for going to sleep:
// the caller has just taken the one that leads here. If `relock` is given, a woken thread competes
// for that first.
Wake wait_in_queue(SyncObject* object, std::uint64_t pc, std::int64_t deadline, SyncObject* relock,
                   bool (*can_relock)(const SyncObject*, const Thread*),
                   bool interruptible = false);
// Waits for the outside world: calls `ready` until it returns true.
Wake wait_external(bool (*ready)(Thread*), void* argument, std::uint64_t pc,
                   std::int64_t deadline = kNever);
// Lets virtual time pass.
Wake sleep_until(std::int64_t deadline, std::uint64_t pc);
// Something happened (a write to a pipe) that may let threads that wait for the outside world
// proceed.
void recheck_externals();

// The object's state changed: enables and disables the threads that want it.
void object_changed(SyncObject* object);
void wake_thread(Thread* thread, Wake reason);
std::uint32_t wake_queue(SyncObject* object, std::uint32_t count, std::uint32_t bitset = ~0u);
// Moves waiters to another object's queue.
std::uint32_t move_queue(SyncObject* from, SyncObject* to, std::uint32_t count);
std::uint32_t queue_length(const SyncObject* object);
// Chooses one of n alternatives that are not threads.
std::uint32_t choose(std::uint32_t n);
// Whether a weak exchange that would succeed fails without a reason.
bool fails_spuriously(std::uint64_t pc);

// Spinning threads may read again.
void release_spinners();
// Others could notice what the current thread just did.
inline void note_write() {
  ++sched.write_epoch;
  if (__builtin_expect(sched.quick_until != 0, 1)) return;  // all of these are zero already
  sched.idle_rounds = 0;
  sched.current->spinning = false;
  sched.current->burst = 0;
  sched.current->clock_reads = 0;
  if (__builtin_expect(sched.spinner_count != 0, 0)) release_spinners();
}
// The current thread read `key` and changed nothing; after some repetitions it counts as spinning.
void note_read(std::uint64_t pc, std::uint64_t object);

// The first step of a thread, logged by the thread itself.
void begin_thread();
// The current thread ends. Between the two calls its context may be given to a new thread; the
// second call returns when it is that thread's turn.
void finish_thread();
void leave_finished_thread();

// For a thread that reads the clock.
std::int64_t virtual_now(std::uint64_t pc = 0);
void advance_clock(std::int64_t to);
// The clock goes on by that much. Where timeouts are not early, it stops at the next deadline, and
// what waits for it may end.
void pass_time(std::int64_t nanoseconds);

}  // namespace snag::rt
