// What every interposer needs.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "runtime/base/modules.h"
#include "runtime/base/real.h"
#include "runtime/cover/shadow_cells.h"
#include "runtime/sched/observer.h"
#include "runtime/sched/scheduler.h"

// Found by the program and its libraries in place of libc's function of the same name.
#define SNAG_INTERPOSE extern "C" __attribute__((visibility("default")))

// Where the program called the interposed function.
#define SNAG_CALLER                                                                    \
  ::snag::rt::program_pc(reinterpret_cast<std::uint64_t>(__builtin_return_address(0)), \
                         __builtin_frame_address(0))

namespace snag::rt {

// The program runs by itself, and the function does what it always does. From it the calling thread
// may learn what others did.
inline bool runs_freely() {
  if (controlled) return false;
  cover_learns();
  return true;
}

// Whether new memory is an event: in a controlled run, or one that is measured.
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

// True if the system call futex with these arguments was one that the scheduler does itself;
// `result` and errno as libc's syscall has them.
bool controlled_futex(const long* arguments, std::uint64_t pc, long* result);

// The functions read and write as they are in place of libc's: the program may have globals of
// these names.
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

// `pc`: where it was taken.
void note_held(SyncObject* object, std::uint64_t pc);
void note_released(SyncObject* object);

}  // namespace snag::rt
