// Writes down everything that the threads of a controlled run do, if the tool asks for it: see
// protocol/full_trace.h. Off, it costs a test of `full_trace_on` where it is called.
#pragma once

#include <cstdint>

#include "protocol/full_trace.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {

// Whether this process writes a trace at all.
extern bool full_trace_on;

// Once, in the process that outlives the runs: maps the tool's file.
void init_full_trace(Shared* shared);

// Something that the current thread does, or has just done. `pc` is an address, or 0.
void trace_event(TraceKind kind, std::uint64_t pc, std::uint64_t address, std::uint64_t size = 0,
                 std::uint8_t detail = 0);
// The same of another thread.
void trace_event_of(Tid thread, TraceKind kind, std::uint64_t pc, std::uint64_t address,
                    std::uint64_t size = 0, std::uint8_t detail = 0);
// The function that contains `pc` begins; it was called at `caller`.
void trace_enter(std::uint64_t pc, std::uint64_t caller);
// The thread is at a call of this kind for that object: if it locks, it may have to wait there.
void trace_want(const Thread* thread, OpKind kind, std::uint64_t object, std::uint64_t pc);
void trace_acquire(const SyncObject* lock, std::uint64_t pc);
// A step that is being logged; those that access memory are told elsewhere.
void trace_step(const Thread* thread, const Op& op);

[[gnu::always_inline]] inline void trace_access(TraceKind kind, const volatile void* address,
                                                std::uint64_t size, std::uint64_t pc) {
  if (__builtin_expect(full_trace_on, 0))
    trace_event(kind, pc, reinterpret_cast<std::uint64_t>(address), size);
}

}  // namespace snag::rt
