// Measures which interleavings a program has been through: see protocol/coverage.h for what is
// written, runtime/cover/access_states.h for how.
//
// Under control everything is exact. In a program that runs freely it is not quite: accesses of
// different threads that nothing orders may be taken in another order than they had, and one that
// comes at the very same moment as another may be missed.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "protocol/shared_memory.h"
#include "runtime/cover/shadow_cells.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {

// Whether this process measures at all, freely or under control.
extern bool cover_on;

// The program runs freely, and is to be measured if the tool says so.
void begin_covering_freely();
// Under control: once, in the process that outlives the runs. Then before and after each run.
void init_cover(Shared* shared);
void begin_covered_run(const Shared* shared);
void end_covered_run(const Shared* shared);

// Under control: an access of the current thread. `kind`: kReads, kWrites or both; `seen`:
// LocationSeen beside that.
void cover_controlled(const volatile void* address, std::uint64_t size, std::uint32_t kind,
                      std::uint64_t pc, std::uint32_t seen = kSeenNothing);
// A function begins or ends; a jump has left some, and so many are still active; the thread takes
// another step than an access; it gets the stack of its context; it is over.
void cover_controlled_begin(std::uint64_t pc, std::uint64_t caller);
void cover_controlled_end();
void cover_controlled_jump();
void cover_controlled_step(const Thread* thread);
void cover_controlled_stack(const Thread* thread);
void cover_controlled_thread_end();

// Running freely: a block of memory is accessed by a library function.
void cover_range(const volatile void* address, std::uint64_t size, std::uint32_t kind,
                 std::uint64_t pc);
// The same from a part of the block on.
void cover_part(const volatile void* address, std::uint64_t size, std::uint32_t kind,
                std::uint64_t pc, std::uint64_t first_part);
// An atomic operation: reads are told after they were done, writes before.
void cover_atomic(const volatile void* address, std::uint64_t size, std::uint32_t kind,
                  std::uint64_t pc);

// Running freely: a function begins or ends; how many are active, and that so many are after a
// jump.
void cover_begin(std::uint64_t pc, std::uint64_t caller);
void cover_end();
std::uint32_t cover_depth();
void cover_jump(std::uint64_t depth);
// This is the child of a fork.
void cover_forked();

// The memory is used anew: its variables are other ones from now on.
void cover_forget(const void* address, std::uint64_t size);
// Running freely: once, before the first access. False: there is no room.
bool init_cover_threads();
// pthread_create, or thrd_create if that is what `start_c11` is for: the new thread is known from
// its first access on, and what was known of its stack is forgotten.
int cover_create_thread(pthread_t* handle, const pthread_attr_t* attributes, void* (*start)(void*),
                        int (*start_c11)(void*), void* argument);
// The program has loaded a library.
void cover_new_modules();

}  // namespace snag::rt
