// What each byte of the heap is, for the checks of heap errors.
//
// One byte for 8 bytes of memory. 0: all may be accessed, or nothing is known. 1 to 7: only the
// first ones may. Other values say why none may. Memory outside of tracked blocks is always 0, so
// what is not known is never reported.
//
// Two levels, a leaf for 4 MiB of memory; memory without a leaf is 0. Checking a correct access
// takes two loads.
#pragma once

#include <cstdint>

#include "arch/arch.h"

namespace snag::rt {

inline constexpr std::uint8_t kFrontZone = 0xfa;  // before a block; its header lies there
inline constexpr std::uint8_t kBackZone = 0xfb;   // behind a block
inline constexpr std::uint8_t kFreedMemory = 0xfd;

inline constexpr std::uint64_t kHeapLeafShift = 22;
inline constexpr std::uint64_t kHeapLeafBytes = 1ull << (kHeapLeafShift - 3);
inline constexpr std::uint64_t kHeapLeaves = 1ull << (kAddressBits - kHeapLeafShift);

// Null until there is a heap to be checked.
[[gnu::visibility("hidden")]] extern std::uint8_t** heap_leaves;

inline std::uint8_t* heap_leaf(std::uint64_t address) {
  return heap_leaves[(address >> kHeapLeafShift) & (kHeapLeaves - 1)];
}
inline std::uint8_t heap_state(std::uint64_t address) {
  const std::uint8_t* leaf = heap_leaf(address);
  return leaf ? leaf[(address >> 3) & (kHeapLeafBytes - 1)] : 0;
}

void init_heap_state();
// Makes the leaves of these addresses; false if the system has no memory for them.
bool make_heap_leaves(std::uint64_t begin, std::uint64_t end);
// Both addresses are multiples of 8. Addresses without a leaf stay as they are.
void set_heap_state(std::uint64_t begin, std::uint64_t end, std::uint8_t value);
// The same for some 8 bytes of memory: `at` is the state of the first.
[[gnu::always_inline]] inline void fill_heap_states(std::uint8_t* at, std::uint64_t count,
                                                    std::uint8_t value) {
  const auto store = [&](auto part) {
    __builtin_memcpy(at, &part, sizeof part);
    at += sizeof part;
  };
  const std::uint64_t eight = value * 0x0101010101010101ull;
  for (; count >= 8; count -= 8) {
    store(eight);
    asm volatile("" : : : "memory");  // no call of memset for so little
  }
  if (count & 4) store(static_cast<std::uint32_t>(eight));
  if (count & 2) store(static_cast<std::uint16_t>(eight));
  if (count & 1) store(value);
}

// The first byte that must not be accessed; 0 if all may.
std::uint64_t first_bad_byte(std::uint64_t address, std::uint64_t size);

// The nearest address below `address`, at most `reach` bytes away, whose state is not 0: the last
// byte of its 8 bytes. 0: none.
std::uint64_t state_below(std::uint64_t address, std::uint64_t reach);

}  // namespace snag::rt
