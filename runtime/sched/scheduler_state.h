// The state of the scheduler: the threads, the objects that they wait for, the log. For use by the
// scheduler's parts; everything else includes scheduler.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arch/arch.h"
#include "protocol/ops.h"
#include "protocol/random.h"
#include "protocol/shared_memory.h"
#include "runtime/base/check.h"
#include "runtime/sched/context.h"
#include "runtime/sched/strategy.h"

namespace snag::rt {

inline constexpr std::int64_t kNever = INT64_MAX;
inline constexpr std::uint64_t kNoStep = UINT64_MAX;

// How a wait ended.
enum class Wake : std::uint8_t { kGranted, kTimeout, kCancelled, kInterrupted, kSpurious };

// What kind of lock an object is; none: something else, or not used yet in this run.
enum class LockKind : std::uint8_t { kNone, kMutex, kRwLock, kSpin, kOpenMp };

// Something that threads wait for: a mutex, a condition variable, a futex word, the end of a
// thread... Found by the address of the program's own object; only the interposer knows its
// meaning.
struct SyncObject {
  std::uint64_t address;
  std::uint64_t run;    // which run it belongs to: older ones are blank
  Thread* waiters;      // doubly linked ring of threads that want it, oldest first
  Tid owner;            // holds it exclusively; kNoTid: no thread does
  Tid hint_thread;      // last signalled when no thread was waiting
  std::uint32_t count;  // recursion depth, readers, or arrivals
  std::uint64_t hint_pc;
  std::uint64_t owner_pc;  // where the owner got it
  std::uint32_t ordinal;   // in the order of first use in the run
  LockKind what;
  bool robust;
  std::uint32_t number;  // of the lock, if it is one: a new one at the same address has another
};

// Where a lock was taken: the call, and its callers, up to the first 0.
struct LockPlace {
  std::uint64_t pcs[kStepFrames];
};

struct TlsDestructor {
  void (*function)(void*);
  void* object;
  TlsDestructor* next;
};

inline constexpr int kSpinSlots = 8;
inline constexpr std::uint32_t kCallStackDepth = 128;
inline constexpr std::uint32_t kMaxHeld = 16;

// The bigger, rarely used tables of a thread, kept apart so that the records of many threads lie in
// few pages. Only entries below the counts in Thread are valid, or those of the current epoch,
// which is never reused.
struct ThreadTables {
  SyncObject* held[kMaxHeld];  // locks it holds, newest last; see also Thread::held_lost
  struct {
    std::uint64_t key, epoch;
    std::uint32_t count;
  } spin[kSpinSlots];
  alignas(16) char unwind_exception[64];
  std::uint64_t calls[kCallStackDepth];  // where the functions that are active were called
};

struct alignas(kCacheLine) Thread {
  // Used by every step and every switch: one cache line.
  Tid tid;
  Tid creator;
  enum State : std::uint8_t { kRunnable, kBlocked, kFinished } state;
  bool tired;     // took too many steps in a row: waits until all others had a turn
  bool spinning;  // rereads what no thread has written: runs again after the next write
  bool timed;
  bool cancel_pending;
  bool knows_all;  // see race_begin_unseen_end
  Wake wake;
  bool interruptible;  // a signal ends its wait
  std::int32_t slot;   // in the enabled set, -1: not there
  Context* context;
  unsigned long thread_pointer;  // of the context
  std::uint64_t pending_signals;
  std::uint64_t signal_mask;
  std::uint32_t pinned;       // holds a lock inside libc: no other thread may run
  std::uint32_t burst;        // steps to take alone, see note_read
  std::uint32_t caller_hint;  // as Step::caller, of the last call from a library
  std::uint32_t clock_reads;  // without anything else in between

  // Used by waits for objects and by the compiler's hooks: another cache line.
  SyncObject* object;
  Thread* next_waiter;
  Thread* previous_waiter;
  bool (*can_proceed)(const SyncObject*, const Thread*);  // null: waits to be woken
  ThreadTables* tables;
  std::uint32_t depth;           // of `calls`
  std::uint32_t quiet_accesses;  // hooks passed since `quiet_step`: an upper bound
  std::uint32_t held_count;      // of `held`
  std::uint32_t held_mask;
  std::uint32_t held_lost;  // locks that did not fit into `held`
  bool external;            // waits for the outside world
  bool detached;
  bool joined;
  bool early;  // its deadline may pass at any step
  bool ahead;  // that is so because others with earlier deadlines may be late
  bool late;   // a later deadline of another thread has passed while it waited

  // Waiting.
  SyncObject* relock;  // condition variables: the mutex to take again before continuing
  bool (*can_relock)(const SyncObject*, const Thread*);
  std::int64_t deadline;            // virtual; kNever: none
  std::int64_t waits_since;         // virtual time
  std::uint64_t due_step;           // at which the deadline passes although other threads can run
  std::uint32_t timeouts_in_a_row;  // that ended its waits
  std::uint32_t clock_polls;        // reads of the clock since its last wait
  std::uint32_t clock_reads_seen;   // see let_clock_readers_go_on
  bool spurious;                    // its wait may end without a reason, at any step
  std::uint8_t spurious_wakeups;    // so far
  std::uint8_t spurious_failures;   // of weak exchanges, so far
  Thread* next_timed;
  std::uint64_t wait_pc;
  bool (*ready)(Thread*);  // external: whether the call would not block now
  void* ready_argument;
  Thread* next_external;
  std::uint32_t bitset;  // futex

  FloatModes float_modes;   // of its creator, which it inherits
  std::uint32_t pinned_to;  // 1 + the processor that the program has chosen for it; 0: none

  // Cancellation and ending.
  bool cancel_disabled, cancel_async, exiting;
  bool cancel_point;  // its wait is one that a cancellation ends
  void* (*start)(void*);
  void* argument;
  void* result;
  int (*start_c11)(void*);
  void* exit_jump[5];  // __builtin_setjmp
  void* exit_frame;
  void* cleanup_buffers;  // pthread_cleanup_push of C programs
  TlsDestructor* destructors;

  std::uint64_t quiet_step;

  // Up to here a new thread's record is cleared.
  alignas(16) char name[16];
};
static_assert(offsetof(Thread, object) == kCacheLine);

struct Scheduler {
  Thread* current;
  std::uint64_t step;
  // Up to this step the current thread goes on without asking the strategy, see quick_step. 0: it
  // asks.
  std::uint64_t quick_until;
  std::uint64_t step_limit;
  Step* log;
  std::atomic<std::uint64_t>* published_steps;
  std::uint64_t* frames;  // callers of the steps; null if they are not recorded
  bool observed;          // an observer wants each step
  Strategy* strategy;
  World world;  // what the strategy sees; kept up to date, not rebuilt
  std::uint32_t enabled_count;
  std::uint32_t thread_count;
  std::uint32_t live_count;   // not finished
  std::uint64_t write_epoch;  // counts what others could notice
  std::int64_t streak_start;  // the step with which the current thread's row of steps began
  std::uint32_t spinner_count;
  std::uint32_t tired_count;
  std::uint32_t idle_rounds;      // rounds in which only spinning threads were left
  std::uint32_t fruitless_spins;  // deadlines that passed although threads were spinning
  std::int64_t now;               // virtual nanoseconds since the start of the run
  Thread* timed;                  // waits with a deadline, unordered
  // The step before which the scheduler looks at deadlines that are due, and at a cycle of waiting
  // threads; kNoStep: there is nothing to look at.
  std::uint64_t attention_step;
  std::uint64_t cycle_step;  // at which a cycle is a deadlock; kNoStep: no cycle is known
  Thread* cycle;
  Thread* externals;
  std::uint64_t run;  // number of the world, for SyncObject::run
  std::uint64_t initial_signal_mask;
  Random random;           // the scheduler's own choices
  Random spurious_random;  // which waits may end, and weak exchanges fail, without a reason
  Random program_random;   // what the program gets when it asks the system for random numbers
  bool has_children;       // the program forked: something may happen that the runtime does not see
  bool ask_rarely;         // the strategy does not mind missing steps at which it has no choice
  bool systematic;         // the strategy enumerates: nothing may be left to chance
  bool early_timeouts;     // every deadline may pass at any step (the strategy decides)
  Timeouts timeouts;       // when the others may
  // How many waits, and how many weak exchanges, of a thread may end or fail without a reason.
  std::uint8_t most_spurious;
  bool lock_misuse;  // is a failure
  bool lock_order;   // is watched
  // The wait that timed out last did so when no other thread could go on.
  bool idle_timeout;
  bool checks_loop;       // the run is over, and goes on to find out whether its state repeats
  bool process_ends;      // main has returned, or a thread called exit
  bool ended_with_locks;  // a thread did
  Shared* shared;
  Tid enabled[kMaxThreads];
  Op pending[kMaxThreads];
  std::uint8_t timeout[kMaxThreads];
  Thread threads[kMaxThreads];
  ThreadTables tables[kMaxThreads];
  LockPlace held_at[kMaxThreads][kMaxHeld];  // where the threads took what they hold
};

[[gnu::visibility("hidden")]] extern Scheduler sched;
// Whether the controlled world exists. Every interposer checks this first.
[[gnu::visibility("hidden")]] extern bool controlled;
// Every hook of the compiler checks this.
enum class HookMode : std::uint8_t {
  kNative,      // not observed
  kControlled,  // `controlled`
  kCovering,    // the program runs freely and is measured, see runtime/cover/cover.h
  kObserved,    // `controlled`, and an observer wants every access
};
[[gnu::visibility("hidden")]] extern HookMode hook_mode;
void set_hook_mode(HookMode mode);
void set_controlled(bool value);
// A thread that makes this many accesses without a schedule point may be waiting in a loop for a
// thread that never gets a turn: the next access becomes a schedule point.
inline constexpr std::uint32_t kQuietLimit = 20'000;
// After this many accesses, one takes the slow path; 0 while an observer wants them all.
[[gnu::visibility("hidden")]] extern std::uint32_t quiet_limit;
// Which plain accesses are schedule points in this process.
[[gnu::visibility("hidden")]] extern Points points;

// Where a thread took what it holds: one for each of Thread::held.
inline LockPlace* places_of(const Thread* t) { return sched.held_at[t->tid]; }
// Whether these are recorded: only if a lock check or an observer needs them.
inline bool notes_places() { return sched.lock_misuse | sched.lock_order | sched.observed; }

inline bool holds(const Thread* t, const SyncObject* object) {
  for (std::uint32_t i = 0; i < t->held_count; ++i) {
    if (t->tables->held[i] == object) return true;
  }
  return false;
}

// The current thread's next step must take the slow path.
inline void end_quick_steps() { sched.quick_until = 0; }

}  // namespace snag::rt
