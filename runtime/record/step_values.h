// The values that steps read and write, for runs that will be shown (Config::record_frames).
//
// The hook of a plain write comes before the store. What was stored is fetched when the next step
// of any thread is logged: until then no other thread has run, since every thread that is resumed
// logs a step first. By then the program may have freed the memory, so the kernel reads it, which
// fails instead of crashing; then the value stays unknown.
#pragma once

#include <cstdint>

#include "protocol/shared_memory.h"

namespace snag::rt {

// Step `number` is about to access `size` bytes; 0: it does not access memory.
void begin_step_value(StepValue* values, std::uint64_t number, OpKind kind, const void* address,
                      std::uint64_t size);
// The run is over: fetches what the last step wrote, unless it died of that (`fault_address`).
void end_step_values(std::uint64_t fault_address);
// Forgets the last step: another run begins.
void reset_step_values();

}  // namespace snag::rt
