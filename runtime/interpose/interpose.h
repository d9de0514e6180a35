// What every interposer needs.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <cstdint>

#include "runtime/base/modules.h"
#include "runtime/base/real.h"
#include "runtime/cover/shadow_cells.h"
#include "runtime/sched/observer.h"
#include "runtime/sched/scheduler.h"
#include "runtime/sched/upcalls.h"

// Found by the program and its libraries in place of libc's function of the same name.
#define SNAG_INTERPOSE extern "C" __attribute__((visibility("default")))

// Where the program called the interposed function.
#define SNAG_CALLER                                                                    \
  ::snag::rt::program_pc(reinterpret_cast<std::uint64_t>(__builtin_return_address(0)), \
                         __builtin_frame_address(0))

namespace snag::rt {

// The program runs freely, and the function does what it always does. It may synchronise the
// calling thread with others.
inline bool runs_freely() {
  if (controlled) return false;
  cover_learns();
  return true;
}

// The whole outside world is one object: an operation on one descriptor or file may have effects on
// another.
inline const void* outside() { return reinterpret_cast<const void*>(8); }

// Whether new memory is an event: in a controlled or measured run.
inline bool observes_memory() {
  return observes(kObservesMemory) && hook_mode != HookMode::kNative;
}

// Deadlines in the run's virtual time.
std::int64_t deadline_of(clockid_t clock, const timespec* absolute);
std::int64_t deadline_after(const timespec* relative);
bool valid_time(const timespec* time);

// Ends the current thread if it was cancelled. Called by every cancellation point, before and after
// it waits.
void test_cancel();

// See Upcalls.
bool may_come_from_outside();
LastWrite last_write_for(const Thread* thread);

// True if the scheduler has executed this futex system call itself; `result` and errno are then as
// libc's syscall returns them.
bool controlled_futex(const long* arguments, std::uint64_t pc, long* result);

// ---- How many processors the program sees. Many programs start a thread for each, so a replay on
// another machine must have as many as the run had. ----

// Reads the number from the memory that the tool shares with this process, if there is a tool:
// before the constructors of the libraries, of which some count the processors.
void find_processors(char** environment);
// For the system call: true if `result` and errno are what it returns.
bool processor_set(std::size_t size, void* set, long* result);
// The program wants the thread on one of these processors. An error number, or 0.
int pin_thread(Thread* thread, std::size_t size, const cpu_set_t* set);

// Our replacements of read and write, under other names: the program may have globals named read or
// write.
extern "C" {
[[gnu::visibility("hidden")]] ssize_t interposed_read(int, void*, std::size_t);
[[gnu::visibility("hidden")]] ssize_t interposed_write(int, const void*, std::size_t);
}

// Mutexes, for condition variables.
bool mutex_available(const SyncObject* object, const Thread* thread);
int acquire_mutex(pthread_mutex_t* mutex, SyncObject* object, std::uint64_t pc);
void release_mutex(pthread_mutex_t* mutex, SyncObject* object, std::uint64_t pc);
// The thread ends: its robust mutexes learn that their owner died.
void abandon_robust_mutexes(Thread* thread);

// `pc`: where the lock was taken.
void note_held(SyncObject* object, std::uint64_t pc);
void note_released(SyncObject* object);

}  // namespace snag::rt
