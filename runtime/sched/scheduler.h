// The controlled world: one thread runs at a time, and it changes only here.
//
// A thread that is about to do something that others could notice calls `step`: the strategy picks
// who goes next, and when it is this thread's turn, the operation is logged and the thread goes on.
// A thread that has to wait leaves the enabled set, and somebody else's action brings it back. Thus
// the log of steps is the schedule.
//
// Ground rules for everything under runtime/:
//   - libc and pthread only; no exceptions, no RTTI, no static constructors; hot paths never call
//   malloc;
//   - no switch of threads but in this file: between two steps the runtime is single-threaded and
//   needs no locks;
//   - nothing depends on an address, on real time or on the kernel's scheduling, or replays would
//   differ;
//   - errno is the program's: whoever may change it puts it back.
#pragma once

#include <cstddef>
#include <cstdint>

#include "protocol/ops.h"
#include "protocol/random.h"
#include "protocol/shared_memory.h"
#include "runtime/base/check.h"
#include "runtime/sched/context.h"
#include "runtime/sched/strategy.h"

namespace snag::rt {

inline constexpr std::int64_t kNever = INT64_MAX;

// How a wait ended.
enum class Wake : std::uint8_t { kGranted, kTimeout, kCancelled, kInterrupted };

// What kind of lock an object is; none: something else, or not used yet in this run.
enum class LockKind : std::uint8_t { kNone, kMutex, kRwLock, kSpin };

// Something that threads wait for: a mutex, a condition variable, a futex word, the end of a
// thread... Found by the address of the program's own object; what it means is the business of the
// interposer.
struct SyncObject {
  std::uint64_t address;
  std::uint64_t run;    // which run it belongs to: older ones are blank
  Thread* waiters;      // doubly linked ring of threads that want it, oldest first
  Tid owner;            // who holds it exclusively, kNoTid if nobody
  Tid hint_thread;      // who last signalled when nobody was waiting
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

// What belongs to a thread, is bigger, and used more rarely: elsewhere, so that the records of many
// threads lie in few pages. Valid only as far as the counts in Thread say, or by the epoch that
// never comes twice.
struct ThreadTables {
  SyncObject* held[kMaxHeld];  // locks it holds, newest last; what does not fit is not known here
  struct {
    std::uint64_t key, epoch;
    std::uint32_t count;
  } spin[kSpinSlots];
  alignas(16) char unwind_exception[64];
  std::uint64_t calls[kCallStackDepth];  // where the functions that are active were called
};

inline constexpr std::size_t kCacheLine = 64;

struct alignas(kCacheLine) Thread {
  // What every step and every switch looks at: one line of the cache.
  Tid tid;
  Tid creator;
  enum State : std::uint8_t { kRunnable, kBlocked, kFinished } state;
  bool tired;     // took too many steps in a row: waits until everybody else had a turn
  bool spinning;  // re-reads what nobody has written: runs again after the next write
  bool timed;
  bool cancel_pending;
  bool knows_all;  // see race_begin_unseen_end
  Wake wake;
  bool interruptible;  // a signal ends its wait
  std::int32_t slot;   // in the enabled set, -1: not there
  Context* context;
  unsigned long fs_base;  // of the context
  std::uint64_t pending_signals;
  std::uint64_t signal_mask;
  std::uint32_t pinned;       // holds a lock inside libc: nobody else may run
  std::uint32_t burst;        // steps to take alone, see note_read
  std::uint32_t caller_hint;  // as Step::caller, of the last call from a library
  std::uint32_t clock_reads;  // without anything else in between

  // And what waits for objects and the compiler's hooks look at: another one.
  SyncObject* object;
  Thread* next_waiter;
  Thread* previous_waiter;
  bool (*can_proceed)(const SyncObject*, const Thread*);  // null: waits to be woken
  ThreadTables* tables;
  std::uint32_t depth;           // of `calls`
  std::uint32_t quiet_accesses;  // hooks passed since `quiet_step`, at most so many
  std::uint32_t held_count;      // of `held`
  std::uint32_t held_mask;
  std::uint32_t held_lost;  // locks that did not fit into `held`
  bool external;            // waits for the outside world
  bool detached;
  bool joined;
  bool early;  // its deadline may pass at any step

  // Waiting.
  SyncObject* relock;  // condition variables: the mutex to have again before going on
  bool (*can_relock)(const SyncObject*, const Thread*);
  std::int64_t deadline;  // virtual; kNever: none
  Thread* next_timed;
  std::uint64_t wait_pc;
  bool (*ready)(Thread*);  // external: whether the call would not block now
  void* ready_argument;
  Thread* next_external;
  std::uint32_t bitset;  // futex

  std::uint32_t mxcsr;  // floating-point modes of its creator, which it inherits
  std::uint16_t x87_control;

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
  // Up to this step the current thread goes on without asking anybody, see quick_step. 0: it asks.
  std::uint64_t quick_until;
  std::uint64_t step_limit;
  Step* log;
  std::atomic<std::uint64_t>* published_steps;
  std::uint64_t* frames;  // callers of the steps; null if they are not recorded
  bool observed;          // an observer wants each step
  Strategy* strategy;
  World world;  // what the strategy sees; kept up to date instead of made anew
  std::uint32_t enabled_count;
  std::uint32_t thread_count;
  std::uint32_t live_count;   // not finished
  std::uint64_t write_epoch;  // counts what others could notice
  std::int64_t streak_start;  // the step with which the current thread's row of steps began
  std::uint32_t spinner_count;
  std::uint32_t tired_count;
  std::uint32_t idle_rounds;  // rounds in which only spinning threads were left
  std::int64_t now;           // virtual nanoseconds since the start of the run
  Thread* timed;              // waits with a deadline, unordered
  Thread* externals;
  std::uint64_t run;  // number of the world, for SyncObject::run
  std::uint64_t initial_signal_mask;
  Random random;          // the scheduler's own choices
  Random program_random;  // what the program gets when it asks the system for random numbers
  bool has_children;      // the program forked: something may happen that is not seen here
  bool ask_rarely;        // the strategy does not mind missing steps at which it has no choice
  bool systematic;        // the strategy enumerates: nothing may be left to chance
  bool early_timeouts;    // every deadline may pass at any step (the strategy decides)
  bool lock_misuse;       // is a failure
  bool lock_order;        // is watched
  bool process_ends;      // main has returned, or somebody called exit
  bool ended_with_locks;  // a thread did
  Shared* shared;
  Tid enabled[kMaxThreads];
  Op pending[kMaxThreads];
  std::uint8_t timeout[kMaxThreads];
  Thread threads[kMaxThreads];
  ThreadTables tables[kMaxThreads];
  LockPlace held_at[kMaxThreads][kMaxHeld];  // where the threads took what they hold
};

[[gnu::visibility("hidden")]] extern Scheduler g;
// Whether the controlled world exists. Every interposer looks here first.
[[gnu::visibility("hidden")]] extern bool controlled;
// And every hook of the compiler looks here.
enum class HookMode : std::uint8_t {
  kNative,      // nobody wants to know
  kControlled,  // `controlled`
  kCovering,    // the program runs freely and is measured, see runtime/cover/cover.h
  kObserved,    // `controlled`, and somebody wants to know every access
};
[[gnu::visibility("hidden")]] extern HookMode hook_mode;
void set_hook_mode(HookMode mode);
void set_controlled(bool value);
// A thread that has passed so many accesses without a schedule point may wait in a loop for
// somebody who never gets a chance: give it one.
inline constexpr std::uint32_t kQuietLimit = 20'000;
// After so many an access is looked at in full: after each one if somebody wants to know them all.
[[gnu::visibility("hidden")]] extern std::uint32_t quiet_limit;
// Which plain accesses are schedule points in this process.
[[gnu::visibility("hidden")]] extern Points points;

// Creates the world with the caller as thread 0.
void begin_world(Context* main_context, Strategy* strategy, const RunPlan& plan, Shared* shared);
// Makes a thread; it is enabled from now on. Null if there are too many.
Thread* add_thread(Context* context, Thread* creator);

SyncObject* sync_object(const void* address);
// Whether there ever was an object at that address.
bool is_known(std::uint64_t address);

// Where a thread took what it holds: one for each of Thread::held.
inline LockPlace* places_of(const Thread* t) { return g.held_at[t->tid]; }
// Whether it is written down: if somebody looks at locks, or the run will be shown.
inline bool notes_places() { return g.lock_misuse | g.lock_order | g.observed; }

inline bool holds(const Thread* t, const SyncObject* object) {
  for (std::uint32_t i = 0; i < t->held_count; ++i) {
    if (t->tables->held[i] == object) return true;
  }
  return false;
}

// A step of the current thread on `object`: the strategy may let others go first.
void step(OpKind kind, const void* object, std::uint64_t pc);
// A step that accesses memory: `object` is the word of `address`. Neighbours in a word count as one
// object, so that accesses of different sizes meet.
void access_step(OpKind kind, std::uint64_t object, std::uint64_t pc, const volatile void* address,
                 std::uint64_t size);
inline std::uint64_t word_of(const volatile void* address) {
  return reinterpret_cast<std::uint64_t>(address) & ~7ull;
}
// The same, inline, for the compiler's hooks: a thread that is alone takes steps as long as nothing
// changes, and only the log hears of them. (`pending` does not: nobody is there to look at it.)
[[gnu::always_inline]] inline void quick_step(OpKind kind, const volatile void* address,
                                              std::uint64_t size, std::uint64_t pc) {
  const std::uint64_t number = g.step;
  const std::uint64_t object = word_of(address);
  if (__builtin_expect(number >= g.quick_until, 0))
    return access_step(kind, object, pc, address, size);
  const Thread* t = g.current;
  const std::uint8_t flags = step_offset_flags(reinterpret_cast<std::uint64_t>(address));
  g.log[number] = {pc, object, t->tid, kind, flags, t->caller_hint};
  g.step = number + 1;
  g.published_steps->store(number + 1, std::memory_order_relaxed);
}
// Something is to be looked at before the current thread's next step.
inline void end_quick_steps() { g.quick_until = 0; }
// A step that gives the others no chance: releasing something needs none, the next step brings it.
void silent_step(OpKind kind, const void* object, std::uint64_t pc);
// A step that lets somebody else go first if there is anybody.
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
// Waits for the outside world: `ready` is asked again and again.
Wake wait_external(bool (*ready)(Thread*), void* argument, std::uint64_t pc,
                   std::int64_t deadline = kNever);
// Lets virtual time pass.
Wake sleep_until(std::int64_t deadline, std::uint64_t pc);
// Something happened that may let threads proceed that wait for the outside world (a write to a
// pipe).
void recheck_externals();

// The object's state changed: enables and disables those who want it.
void object_changed(SyncObject* object);
void wake_thread(Thread* thread, Wake reason);
std::uint32_t wake_queue(SyncObject* object, std::uint32_t count, std::uint32_t bitset = ~0u);
// Lets waiters wait for something else from now on.
std::uint32_t move_queue(SyncObject* from, SyncObject* to, std::uint32_t count);
std::uint32_t queue_length(const SyncObject* object);
// One of n alternatives that are not threads.
std::uint32_t choose(std::uint32_t n);

// Those who spin may look again.
void release_spinners();
// Others could notice what the current thread just did.
inline void note_write() {
  ++g.write_epoch;
  if (__builtin_expect(g.quick_until != 0, 1)) return;  // there is nothing of all this
  g.idle_rounds = 0;
  g.current->spinning = false;
  g.current->burst = 0;
  g.current->clock_reads = 0;
  if (__builtin_expect(g.spinner_count != 0, 0)) release_spinners();
}
// The current thread looked at `key` and changed nothing; after some repetitions it counts as
// spinning.
void note_read(std::uint64_t pc, std::uint64_t object);

// What to show people for an operation at `pc`: the program's own place, if a guess is known.
std::uint64_t display_pc(const Thread* thread, std::uint64_t pc);
// The innermost callers of what the thread does, kStepFrames of them.
void copy_frames(const Thread* thread, std::uint64_t* to);
// The first step of a thread, logged by the thread itself.
void begin_thread();
// The current thread is over. Between the two calls its context may be given to another one; the
// second returns when that has happened and it is the newcomer's turn.
void finish_thread();
void leave_finished_thread();

std::int64_t virtual_now();
void advance_clock(std::int64_t to);

}  // namespace snag::rt
