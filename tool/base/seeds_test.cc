#include "tool/base/seeds.h"

#include <gtest/gtest.h>

#include <set>

namespace snag {
namespace {

TEST(Seeds, PartsOfNeighbouringSeedsDiffer) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (std::uint64_t part = 0; part < 50; ++part)
      EXPECT_TRUE(seen.insert(seed_of_part(seed, part)).second) << seed << " " << part;
  }
}

TEST(Seeds, AreReproducible) { EXPECT_EQ(seed_of_part(7, 3), seed_of_part(7, 3)); }

}  // namespace
}  // namespace snag
