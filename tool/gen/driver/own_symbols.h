// The functions of the running program by their names, as its symbol table has them: also those
// that it does not export.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

namespace snag_gen {

// Gives each of these names its address; those that the program does not have stay 0.
void find_own_functions(std::unordered_map<std::string, std::uintptr_t>& addresses);

}  // namespace snag_gen
