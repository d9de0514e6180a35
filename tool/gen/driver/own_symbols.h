// The functions of the running program by their names, from its symbol table: including those that
// it does not export.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

namespace snag_gen {

// Looks up the address of each of these names; it stays 0 if the program does not have the
// function.
void find_own_functions(std::unordered_map<std::string, std::uintptr_t>& addresses);

}  // namespace snag_gen
