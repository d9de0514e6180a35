#include "runtime/detect/livelock/state_hash.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace snag::rt {
namespace {

StateHash hash_of(const std::uint64_t (&words)[3]) {
  StateHash hash;
  const auto begin = reinterpret_cast<std::uint64_t>(words);
  hash.add_words(begin, begin + sizeof words);
  return hash;
}

TEST(StateHash, IsTheSameForTheSameWords) { EXPECT_EQ(hash_of({1, 2, 3}), hash_of({1, 2, 3})); }

TEST(StateHash, TellsValuesAndPlacesApart) {
  const StateHash hash = hash_of({1, 2, 0});
  EXPECT_NE(hash, hash_of({1, 3, 0}));
  EXPECT_NE(hash, hash_of({2, 1, 0}));
  EXPECT_NE(hash, hash_of({0, 1, 2}));
  EXPECT_NE(hash, hash_of({1, 2, 1ull << 63}));
}

TEST(StateHash, BothHalvesSeeEachWord) {
  const StateHash zero = hash_of({0, 0, 0}), one = hash_of({0, 1, 0});
  EXPECT_NE(zero.low, one.low);
  EXPECT_NE(zero.high, one.high);
}

}  // namespace
}  // namespace snag::rt
