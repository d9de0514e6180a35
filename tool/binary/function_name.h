// Names of C++ functions: demangled, and short enough for people and for positions that survive
// edits.
#pragma once

#include <string>

namespace snag::binary {

// The name itself if it is not mangled.
std::string demangle(const char* name);

// "ns::Queue::pop" of "ns::Queue<int>::pop(int) const"; lambdas become "{lambda#1}".
std::string short_function_name(const std::string& demangled);

}  // namespace snag::binary
