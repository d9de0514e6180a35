// Seeds for the parts of a search, derived from the seed of the whole.
#pragma once

#include <cstdint>

#include "protocol/random.h"

namespace snag {

// The seed of part `number`. Mixed twice, so that part 1 of seed 1 is not part 0 of seed 2.
constexpr std::uint64_t seed_of_part(std::uint64_t seed, std::uint64_t number) {
  return mix64(mix64(seed) + number);
}

}  // namespace snag
