// An observer follows what the threads of the program do, and never changes it: coverage, the race
// detector, the full trace and so on.
//
// The scheduler, the hooks and the interposers raise events by the functions at the end of this
// file. Each event goes to every observer that is on. To add an observer, add a row to
// SNAG_OBSERVERS, and a file that derives a class from Observer and defines the row's function,
// which returns the only object.
//
// The fast paths do not come through here. The hooks inline the fast paths of the race detector and
// of the heap checks, and all of coverage in a program that runs freely.
//
// The ground rules of the runtime hold (see scheduler.h). An observer must not take steps.
#pragma once

#include <cstdint>

#include "protocol/ops.h"
#include "protocol/shared_memory.h"

// X(function): the observers, in the order in which they get events; runtime/server/observers.cc
// switches them on. Races come first: a race that ends the run must not be followed by a record of
// what the program never did. The heap makes room in the tables of races.
#define SNAG_OBSERVERS(X) \
  X(race_observer)        \
  X(heap_observer)        \
  X(coverage_observer)    \
  X(full_trace_observer)  \
  X(wanted_pair_observer) \
  X(watch_observer)       \
  X(step_observer)        \
  X(debugger_observer)    \
  X(directed_places_observer)

namespace snag::rt {

struct SyncObject;
struct Thread;

enum class AccessKind : std::uint8_t {
  kRead,
  kWrite,
  kAtomicRead,
  kAtomicWrite,
  kAtomicModify,
  kCompareFailed,  // an atomic read
};
constexpr bool is_atomic(AccessKind kind) { return kind >= AccessKind::kAtomicRead; }
constexpr bool writes(AccessKind kind) {
  return kind == AccessKind::kWrite || kind == AccessKind::kAtomicWrite ||
         kind == AccessKind::kAtomicModify;
}
constexpr bool reads(AccessKind kind) {
  return kind != AccessKind::kWrite && kind != AccessKind::kAtomicWrite;
}

struct StackMemory {
  std::uint64_t begin, size;
};

// The events that are frequent, or expensive to raise, and so are raised only if an observer asks
// for them. All other events go to every observer that is on.
using EventMask = std::uint32_t;
inline constexpr EventMask kObservesSteps = 1 << 0;     // including where locks were taken
inline constexpr EventMask kObservesAccesses = 1 << 1;  // those of plain and of atomic variables
inline constexpr EventMask kObservesCalls = 1 << 2;     // entered, left, stack_left
inline constexpr EventMask kObservesLocks = 1 << 3;
inline constexpr EventMask kObservesMemory = 1 << 4;  // allocated, freed
// `allocated` also for blocks that the heap checks have guarded since they were last freed.
inline constexpr EventMask kObservesGuardedMemory = 1 << 5;
// Keeps the observer on if it wants only the events that all observers get.
inline constexpr EventMask kObservesRareEvents = 1 << 6;
// By itself: no event but begin_run, and the observer is not on.
inline constexpr EventMask kObservesRuns = 1 << 7;

// Events are about the current thread, unless they say otherwise.
class Observer {
 public:
  // Once, in the process that outlives the runs. Returns the events that it wants; 0: it is off.
  virtual EventMask init(Shared*) { return 0; }
  // Before each run, unless `init` returned 0. `in_process`: the runs follow each other in one
  // process (snag::explore); otherwise each is a fork.
  virtual void begin_run(const Shared*, bool in_process) { (void)in_process; }
  // After each run, in the process that outlives it, if it is on.
  virtual void end_run(const Shared*) {}
  // The run is about to be reported as failed. `fault_address`: the address that the program could
  // not access, if it died of that, else 0.
  virtual void failed(std::uint64_t fault_address) { (void)fault_address; }

  // The step in Scheduler::pending is about to be logged for `thread`. `size` is that of the memory
  // at `address` that it accesses; 0 if it accesses none.
  virtual void step(const Thread*, const void* address, std::uint64_t size) {
    (void)address, (void)size;
  }
  // `thread`, of which Thread::knows_all is set, has taken a step.
  virtual void knows_all(const Thread*) {}

  virtual void accessed(AccessKind, const volatile void* address, std::uint64_t size,
                        std::uint64_t pc) {
    (void)address, (void)size, (void)pc;
  }

  // The function that contains `pc` begins; it was called at `caller`.
  virtual void entered(std::uint64_t pc, std::uint64_t caller) { (void)pc, (void)caller; }
  // The innermost function ends; its variables were in `left`.
  virtual void left(StackMemory left) { (void)left; }
  // A jump or the end of the thread has left functions; Thread::depth says how many remain.
  virtual void unwound() {}
  // The part of the stack that a jump has left.
  virtual void stack_left(StackMemory left) { (void)left; }

  // The program got this memory: everything known about it is void. Also in a program that runs
  // freely, by any of its threads. `guarded`: see kObservesGuardedMemory.
  virtual void allocated(const void* begin, std::uint64_t size, bool guarded) {
    (void)begin, (void)size, (void)guarded;
  }
  // The program gives this memory back at `pc`. It has not been reused yet. `by_owner`: a library
  // frees memory that only it can access, although its synchronisation is not seen.
  virtual void freed(const void* begin, std::uint64_t size, std::uint64_t pc, bool by_owner,
                     bool guarded) {
    (void)begin, (void)size, (void)pc, (void)by_owner, (void)guarded;
  }

  virtual void thread_created(const Thread* child) { (void)child; }
  virtual void thread_joined(const Thread* ended) { (void)ended; }
  virtual void thread_ended() {}

  // The current thread is about to lock, and waits without a deadline.
  virtual void locks(const SyncObject*, bool shared, std::uint64_t pc) { (void)shared, (void)pc; }
  // `thread` wants what `kind` takes, which may be no lock at all. With or without a deadline, and
  // also to get a mutex back after a condition variable.
  virtual void wants(const Thread*, OpKind, const SyncObject*, std::uint64_t pc) { (void)pc; }
  // It has the lock; `index` is that in Thread::held, or kMaxHeld if it did not fit.
  virtual void locked(const SyncObject*, std::uint32_t index, std::uint64_t pc) {
    (void)index, (void)pc;
  }
  // It releases the lock, which is still in Thread::held.
  virtual void unlocked(const SyncObject*, std::uint32_t index) { (void)index; }

  // The program has loaded a library. Also in a program that runs freely.
  virtual void modules_loaded() {}

 protected:
  ~Observer() = default;  // observers live in static storage and are never destroyed
};

#define SNAG_DECLARE_OBSERVER(function) Observer* function();
SNAG_OBSERVERS(SNAG_DECLARE_OBSERVER)
#undef SNAG_DECLARE_OBSERVER

class ActiveObservers {
 public:
  Observer* const* begin() const { return list_; }
  Observer* const* end() const { return list_ + count_; }
  void clear() { count_ = 0; }
  void add(Observer* observer);

 private:
  static constexpr std::uint32_t kCapacity = 16;
  Observer* list_[kCapacity];
  std::uint32_t count_;
};
[[gnu::visibility("hidden")]] extern ActiveObservers active_observers;
// All events that any of them wants.
[[gnu::visibility("hidden")]] extern EventMask observed_events;

void deactivate_observers();
void activate_observer(Observer* observer, EventMask events);

inline bool observes(EventMask events) {
  return __builtin_expect((observed_events & events) != 0, 0);
}

// ---- Raising the events. ----

// Out of line: the hot paths only test the mask.
void raise_accessed(AccessKind kind, const volatile void* address, std::uint64_t size,
                    std::uint64_t pc);
void raise_allocated(const void* begin, std::uint64_t size, bool guarded);
void raise_freed(const void* begin, std::uint64_t size, std::uint64_t pc, bool by_owner,
                 bool guarded);
void raise_locks(const SyncObject* lock, bool shared, std::uint64_t pc);
void raise_wants(const Thread* thread, OpKind kind, const SyncObject* lock, std::uint64_t pc);
void raise_locked(const SyncObject* lock, std::uint32_t index, std::uint64_t pc);
void raise_unlocked(const SyncObject* lock, std::uint32_t index);

[[gnu::always_inline]] inline void observe_access(AccessKind kind, const volatile void* address,
                                                  std::uint64_t size, std::uint64_t pc) {
  if (observes(kObservesAccesses)) raise_accessed(kind, address, size, pc);
}
inline void observe_allocated(const void* begin, std::uint64_t size, bool guarded = false) {
  if (observes(guarded ? kObservesGuardedMemory : kObservesMemory))
    raise_allocated(begin, size, guarded);
}
inline void observe_freed(const void* begin, std::uint64_t size, std::uint64_t pc, bool by_owner,
                          bool guarded = false) {
  if (observes(kObservesMemory)) raise_freed(begin, size, pc, by_owner, guarded);
}
inline void observe_locks(const SyncObject* lock, bool shared, std::uint64_t pc) {
  if (observes(kObservesLocks)) raise_locks(lock, shared, pc);
}
inline void observe_wants(const Thread* thread, OpKind kind, const SyncObject* lock,
                          std::uint64_t pc) {
  if (observes(kObservesLocks)) raise_wants(thread, kind, lock, pc);
}
inline void observe_locked(const SyncObject* lock, std::uint32_t index, std::uint64_t pc) {
  if (observes(kObservesLocks)) raise_locked(lock, index, pc);
}
inline void observe_unlocked(const SyncObject* lock, std::uint32_t index) {
  if (observes(kObservesLocks)) raise_unlocked(lock, index);
}

// Called only if Scheduler::observed, or Thread::knows_all.
void observe_step(const Thread* thread, const void* address, std::uint64_t size);
void observe_knows_all(const Thread* thread);
// Called only if observes(kObservesCalls), which `left` comes from.
void observe_entered(std::uint64_t pc, std::uint64_t caller);
void observe_left(StackMemory left);
void observe_stack_left(StackMemory left);
void observe_unwound();

void observe_thread_created(const Thread* child);
void observe_thread_joined(const Thread* ended);
void observe_thread_ended();
void observe_modules_loaded();
void observe_failure(std::uint64_t fault_address);

}  // namespace snag::rt
