// The memory of an access, in terms that mean the same in two builds of a program, unlike
// addresses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace snag::active {

struct MemoryPart {
  enum class Kind {
    kUnknown,
    kVariable,  // with a fixed address
    kHeap,      // or other memory without a fixed address
    kStack,
  } kind = Kind::kUnknown;
  std::string variable;      // kVariable: by itself, without namespaces and members; empty: unknown
  std::uint64_t offset = 0;  // of the access, in the variable or in the block
  std::uint64_t size = 0;    // of the block; 0: not known, and neither is the offset
};

// "count" of "ns::Queue<int>::count", of "_ZN2ns5countE" and of "count.0".
std::string simple_name(std::string_view name);

// How well a reported access of this size matches a watched one: higher is better, 0 if one of the
// two is unknown, negative if they contradict each other.
int agreement(const MemoryPart& reported, std::uint32_t size, const MemoryPart& watched);

}  // namespace snag::active
