// A hash of all memory that the program can write to, without the runtime's own.
#pragma once

#include <cstdint>

#include "runtime/detect/livelock/state_hash.h"

namespace snag::rt {

// Notes which memory there is: from here on it must stay mapped as it is. False: the hash would not
// say enough, or the system does not tell what it needs.
bool open_program_state();
// All but the stacks of the threads that Snag made. False: it is too much.
bool hash_program_memory(StateHash& hash);
// From here to the end of the stack's mapping.
void hash_stack(StateHash& hash, std::uint64_t stack_pointer);
// From now on every system call of the program, and every use of the processor's clock, raises a
// signal. For good: the process is going to end. False: the system does not allow that.
bool forbid_outside();

}  // namespace snag::rt
