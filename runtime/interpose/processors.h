// How many processors the program sees. Many programs start a thread for each, so a replay on
// another machine must have as many as the run had.
#pragma once

#include <cstddef>
#include <cstdint>

namespace snag::rt {

// From now on it sees this many; 0: those that there are.
void set_processors(std::uint32_t count);
// Reads the number from the memory that the tool shares with this process, if there is a tool:
// before the constructors of the libraries, of which some count the processors.
void find_processors(char** environment);
// For the system call: true if `result` and errno are what it returns.
bool processor_set(std::size_t size, void* set, long* result);

}  // namespace snag::rt
