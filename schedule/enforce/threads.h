// The threads of the program: what they are called, and what they wait in.
//
// Every thread has a record, made by its creator (schedule/interpose/thread.cc). The thread itself
// records what it is about to wait in. While no schedule is active it does so without a lock, so
// that a schedule that begins later knows about it.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>

#include "schedule/enforce/raw.h"

namespace snag::schedule {

inline constexpr std::int64_t kNever = INT64_MAX;

enum class WaitKind : std::uint8_t {
  kNone,
  kMutex,
  kReadLock,
  kWriteLock,
  kCondition,
  kSemaphore,
  kBarrier,
  kFutex,
  kJoin,
  kOnce,
  kSleep,
  kOutside,  // input, output, other processes: unknown when it ends
  kKernel,   // found asleep in a system call that is not interposed
};

// What a thread waits in.
struct Wait {
  WaitKind kind = WaitKind::kNone;
  const void* object = nullptr;
  const void* mutex = nullptr;     // of a condition variable: released and taken again
  std::int64_t deadline = kNever;  // of the monotonic clock
  bool shared = false;             // with other processes
  const char* call = nullptr;      // of kOutside: the function
};

struct Thread {
  static constexpr std::size_t kMaxName = 64;

  int number = 0;
  std::atomic<pid_t> tid{0};  // 0: has not begun yet
  pthread_t handle{};
  bool has_handle = false;
  bool joined = false;
  bool detached = false;
  char name[kMaxName] = {};  // empty: none

  std::atomic<WaitKind> waits_in{WaitKind::kNone};  // set last, cleared first
  Wait wait;
  std::int64_t waits_since = 0;              // under a schedule; of the monotonic clock
  std::atomic<bool> wants_lock{false};       // of the library: asleep there, it is not blocked
  std::atomic<bool> leaving{false};          // its wait is over, and it is about to report that
  std::atomic<const void*> waking{nullptr};  // the object whose waiters it is waking just now
  bool perhaps_awake = false;                // another thread may have woken it
  bool signalled = false;                    // in a condition variable: it wants the mutex back
  bool reported = false;                     // the monitor knows that it is blocked
  bool found_asleep = false;                 // in a call that is not interposed
  std::uint64_t switches = 0;                // of the kernel's, when it was last looked at

  unsigned runtime_thread = 0;  // under `snag run`: its number there

  // Waits in Snag for `action` (enforcer.cc).
  bool in_snag = false;
  Word word{0};

  std::atomic<bool> ended{false};
  Thread* next = nullptr;  // in the registry, newest first
};

// The caller's record; null for a thread that was never announced (this_thread() makes one).
extern constinit thread_local Thread* current_thread __attribute__((tls_model("initial-exec")));
// For a thread that is about to be made. Under the lock.
Thread* add_thread();
void adopt(Thread* thread);  // the caller is that thread
Thread* find_thread(pthread_t handle);
Thread* first_thread();
// Forgets threads that have ended. Under the lock.
void forget_ended_threads();

// Around fork: no other thread is in the middle of something, and the child has one thread.
void before_fork();
void after_fork_in_parent();
void after_fork_in_child();

// Inside the library: interposed functions only call the next one.
extern thread_local int inside_depth __attribute__((tls_model("initial-exec")));
inline bool inside() { return inside_depth != 0; }

// A sanitizer makes threads of its own before anything of the program has begun.
extern bool program_has_begun;

// How many threads have reported that they wait.
extern std::atomic<int> waiting_count;

// Protects the registry and the enforcer. Holding it, the thread is inside the library.
class Critical {
 public:
  Critical();
  ~Critical();
  Critical(const Critical&) = delete;
  Critical& operator=(const Critical&) = delete;
  // Wakes the threads that sleep on the word once the lock is free: they need it first.
  static void wake_after(Word& word);
  // For the time of a wait.
  void release();
  void acquire();
  // The same, with the thread outside of the library meanwhile.
  void pause();
  void resume();
};

}  // namespace snag::schedule
