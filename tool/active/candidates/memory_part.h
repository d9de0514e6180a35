// What memory an access was to, in words that mean the same in two builds of a program: addresses
// do not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace snag::active {

struct MemoryPart {
  enum class Kind {
    kUnknown,
    kVariable,  // one that has a fixed address
    kHeap,      // or anything else without one, where that is all that is known
    kStack,
  } kind = Kind::kUnknown;
  std::string variable;      // kVariable: by itself, without namespaces and members; empty: unknown
  std::uint64_t offset = 0;  // of the access, in the variable or in the block
  std::uint64_t size = 0;    // of the block; 0: not known, and neither is the offset
};

// "count" of "ns::Queue<int>::count", of "_ZN2ns5countE" and of "count.0".
std::string simple_name(std::string_view name);

// How well what a report says, of an access of so many bytes, and what was watched go together:
// the more the better, 0 if one of the two says nothing, less if they contradict each other.
int agreement(const MemoryPart& reported, std::uint32_t size, const MemoryPart& watched);

}  // namespace snag::active
