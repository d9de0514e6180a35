#pragma once

#include <cstdint>

namespace snag {

// As __atomic_compare_exchange_n, sequentially consistent. (The compiler's own calls libatomic.)
inline bool compare_exchange_16(volatile unsigned __int128* a, unsigned __int128* expected,
                                unsigned __int128 desired) {
  auto low = static_cast<std::uint64_t>(*expected);
  auto high = static_cast<std::uint64_t>(*expected >> 64);
  bool done;
  asm volatile("lock cmpxchg16b %1"
               : "=@ccz"(done), "+m"(*a), "+a"(low), "+d"(high)
               : "b"(static_cast<std::uint64_t>(desired)),
                 "c"(static_cast<std::uint64_t>(desired >> 64))
               : "memory");
  if (!done) *expected = (static_cast<unsigned __int128>(high) << 64) | low;
  return done;
}

}  // namespace snag
