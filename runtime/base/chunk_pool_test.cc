#include "runtime/base/chunk_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

namespace snag::rt {
namespace {

TEST(ChunkPoolTest, SizesAreRoundedUp) {
  EXPECT_EQ(ChunkPool::chunk_bytes(64), 64u);
  EXPECT_EQ(ChunkPool::chunk_bytes(65), 80u);
  EXPECT_EQ(ChunkPool::chunk_bytes(640), 640u);
  EXPECT_EQ(ChunkPool::chunk_bytes(641), 768u);
  EXPECT_EQ(ChunkPool::chunk_bytes(ChunkPool::kMostBytes), ChunkPool::kMostBytes);
}

TEST(ChunkPoolTest, NothingWithoutARegion) {
  ChunkPool pool;
  EXPECT_EQ(pool.take_new(64), 0u);
  EXPECT_EQ(pool.take_used(64), 0u);
}

TEST(ChunkPoolTest, NewChunksFollowEachOtherToTheEndOfTheRegion) {
  ChunkPool pool;
  const std::uint64_t region = pool.add_region();
  ASSERT_NE(region, 0u);
  EXPECT_EQ(region % ChunkPool::kRegionBytes, 0u);
  std::uint64_t expected = region;
  while (const std::uint64_t chunk = pool.take_new(4608)) {
    ASSERT_EQ(chunk, expected);
    std::memset(reinterpret_cast<void*>(chunk), 1, 4608);
    expected += 4608;
  }
  EXPECT_GT(expected + 4608, region + ChunkPool::kRegionBytes);
  EXPECT_NE(pool.take_new(16), 0u);  // a smaller one fits
}

TEST(ChunkPoolTest, ChunksComeBackToThoseOfTheirSize) {
  ChunkPool pool;
  ASSERT_NE(pool.add_region(), 0u);
  const std::uint64_t small = pool.take_new(64), other = pool.take_new(64), big = pool.take_new(80);
  pool.give(small, 64);
  pool.give(other, 64);
  pool.give(big, 80);
  EXPECT_EQ(pool.take_used(80), big);
  EXPECT_EQ(pool.take_used(80), 0u);
  EXPECT_EQ((std::set{pool.take_used(64), pool.take_used(64)}), (std::set{small, other}));
  EXPECT_EQ(pool.take_used(64), 0u);
}

}  // namespace
}  // namespace snag::rt
