// The one source of randomness of a run: small, fast, and the same everywhere for the same seed.
#pragma once

#include <cstdint>

namespace snag {

// Mixes a seed so that neighbouring seeds give unrelated results.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93;
  return x ^ (x >> 32);
}

class Random {
 public:
  constexpr Random() = default;
  constexpr explicit Random(std::uint64_t seed) : state_(mix64(seed + 0x9e3779b97f4a7c15)) {}

  constexpr std::uint64_t next() {
    // Multiply-and-fold of a Weyl sequence: one multiplication a number, no dependency on the last
    // result.
    state_ += 0xa0761d6478bd642f;
    const auto wide = static_cast<unsigned __int128>(state_) * (state_ ^ 0xe7037ed1a0b428db);
    return static_cast<std::uint64_t>(wide >> 64) ^ static_cast<std::uint64_t>(wide);
  }

  // Uniform in [0, n); the bias is below n / 2^32.
  constexpr std::uint32_t below(std::uint32_t n) { return below(next(), n); }
  // The same, from a number that was drawn before.
  static constexpr std::uint32_t below(std::uint64_t drawn, std::uint32_t n) {
    return static_cast<std::uint32_t>(((drawn >> 32) * n) >> 32);
  }
  // The same for sums that may be larger; a multiplication, where % would be a slow division.
  constexpr std::uint64_t below_wide(std::uint64_t n) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * n) >> 64);
  }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace snag
