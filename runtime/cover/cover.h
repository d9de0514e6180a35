// Measures which interleavings a program has executed: protocol/coverage.h describes what is
// written, runtime/cover/access_states.h how.
//
// Under control everything is exact. In a program that runs freely it is approximate: accesses of
// different threads that nothing orders may be recorded in another order, and one of two
// simultaneous accesses may be missed.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "protocol/shared_memory.h"
#include "runtime/cover/recorder.h"
#include "runtime/cover/shadow_cells.h"
#include "runtime/sched/observer.h"

namespace snag::rt {

// Under control, coverage_observer() gets the events.

// The program runs freely: measures it if the tool asks for that. From then on hook_mode is
// kCovering, and the hooks and interposers call the functions below.
void begin_covering_freely();

// Running freely: a library function accesses a block of memory.
void cover_range(const volatile void* address, std::uint64_t size, std::uint32_t kind,
                 std::uint64_t pc);
// The same, from a part of the block on.
void cover_part(const volatile void* address, std::uint64_t size, std::uint32_t kind,
                std::uint64_t pc, std::uint64_t first_part);
// An atomic operation: reads are reported after they were done, writes before.
void cover_atomic(const volatile void* address, std::uint64_t size, std::uint32_t kind,
                  std::uint64_t pc);

// Running freely: a function begins or ends; how many are active; a jump leaves `depth` of them.
void cover_begin(std::uint64_t pc, std::uint64_t caller);
void cover_end();
std::uint32_t cover_depth();
void cover_jump(std::uint64_t depth);
// This is the child of a fork.
void cover_forked();

// Running freely: once, before the first access. False if there is no room.
bool init_cover_threads();
// pthread_create, or thrd_create if `start_c11` is given: records the new thread from its first
// access on, and forgets what was recorded about its stack.
int cover_create_thread(pthread_t* handle, const pthread_attr_t* attributes, void* (*start)(void*),
                        int (*start_c11)(void*), void* argument);

}  // namespace snag::rt
