// A hash of a whole program's state. Of 128 bits: that two states have the same one by chance is
// out of the question.
#pragma once

#include <cstdint>

namespace snag::rt {

struct StateHash {
  std::uint64_t low = 0x243f6a8885a308d3, high = 0x13198a2e03707344;

  void add(std::uint64_t word) {
    low = (low ^ word) * 0x9e3779b97f4a7c15;
    low ^= low >> 29;
    high = (((high << 27) | (high >> 37)) + word) * 0xd6e8feb86659fd93;
    high ^= high >> 32;
  }
  void add_words(std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t p = begin; p < end; p += 8) add(*reinterpret_cast<const std::uint64_t*>(p));
  }
  bool operator==(const StateHash&) const = default;
};

}  // namespace snag::rt
