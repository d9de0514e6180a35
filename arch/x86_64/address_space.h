#pragma once

#include <cstdint>

namespace snag {

// A program's addresses are below 1 << kAddressBits. (Linux maps nothing above unless asked to.)
inline constexpr int kAddressBits = 47;

// The shadow of an address, for coverage, lies at (address ^ kPlaneBit) + kPlaneOffset.
//
// The offset keeps an access and its shadow apart in the caches. The processor mistakes a load that
// lies a multiple of 4096 bytes behind a store for a load of the same address, and waits. And AMD
// processors look up a line of the nearest cache by a hash of the lower half of its address: with a
// small offset, a line of the program and the shadow of a line close by would evict each other.
inline constexpr std::uint64_t kPlaneBit = 1ull << 45;
inline constexpr std::uint64_t kPlaneOffset = 0xa5b5a80;

// Where all shadow lies. Executables are at the bottom of the address space or at 0x55..., with the
// heap behind them; libraries, stacks and mappings are just below 0x7fff.... The planes are the
// shadow of everything below 0x20..., from 0x40... to 0x5c..., and from 0x7c... on; the program has
// no memory where they are.
struct AddressRange {
  std::uint64_t begin, end;
};
namespace address_space {
inline constexpr std::uint64_t kTera = 1ull << 40, kPage = 4096;
inline constexpr std::uint64_t kBeyond = (kPlaneOffset + kPage - 1) & ~(kPage - 1);
}  // namespace address_space
inline constexpr AddressRange kShadowPlanes[] = {
    {0x20 * address_space::kTera, 0x40 * address_space::kTera + address_space::kBeyond},
    {0x5c * address_space::kTera, 0x7c * address_space::kTera + address_space::kBeyond}};

// Where the runtime asks for memory: its tables, and the stacks that it makes for threads. Both are
// below the shadow planes, so that stacks have shadow, and far from everything of the program.
inline constexpr std::uint64_t kFirstTablePlace = 8 * address_space::kTera;
inline constexpr std::uint64_t kFirstStackPlace = 24 * address_space::kTera;

}  // namespace snag
