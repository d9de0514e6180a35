// Seeds for the parts of a search, derived from the seed of the whole.
#pragma once

#include <cstdint>

namespace snag {

// The seed of part `number`, from 1. The factors are primes, so that parts of nearby seeds differ.
constexpr std::uint64_t seed_of_part(std::uint64_t seed, std::uint64_t number) {
  return seed * 1'000'003 + number * 7919;
}

}  // namespace snag
