// What DWARF says about a function: its name and where it begins.
#pragma once

#include <elfutils/libdw.h>

#include <string>

namespace snag::engine {

std::string demangle(const char* name);

// Short, as short_function_name gives it; "main::{lambda}::operator()" for what has no linkage
// name.
std::string function_name(Dwarf_Die* die);

// The line where the function begins. A lambda's own line is not always recorded; it counts from
// the function around it. 0: not known.
int function_line(Dwarf_Die* die);

// Of the entry itself or of those it refers to; 0 if there is none.
int unsigned_attribute(Dwarf_Die* die, unsigned which);

}  // namespace snag::engine
