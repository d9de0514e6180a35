// Writes down what predictions need to know of a run: see protocol/watch.h.
//
// In the usual case, that an access is nothing new, it costs some look-ups: where it is (a cache of
// call stacks), what its thread did to this word before (a cache per thread), and whether this word
// has seen the like (a shadow of the memory).
#pragma once

#include <cstdint>

#include "protocol/watch.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {

// Whether this process writes a log.
extern bool watch_on;

// Once, in the process that outlives the runs: maps the tool's file.
void init_watch(Shared* shared);
void begin_watched_run(std::uint64_t number);

// The current thread: accesses memory, as kWatch... flags say; gives a block of the heap back; is
// about to wait for a lock; has taken one more lock, or given one back; has made a thread, or
// joined it.
void watch_access(const volatile void* address, std::uint64_t size, std::uint8_t flags,
                  std::uint64_t pc);
void watch_free(const void* block, std::uint64_t size, std::uint64_t pc);
void watch_want(const SyncObject* lock, bool shared, std::uint64_t pc);
void watch_lock_taken();
void watch_lock_released(std::uint32_t index);  // in Thread::held, where it still is
void watch_created(const Thread* child);
void watch_joined(const Thread* ended);
// Memory is used anew.
void watch_fresh(const void* address, std::uint64_t size);

}  // namespace snag::rt
