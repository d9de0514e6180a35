#include "runtime/stack_depot.h"

#include <gtest/gtest.h>

#include <vector>

namespace snag::rt {
namespace {

std::vector<std::uint64_t> frames_of(const StackDepot& depot, std::uint32_t id) {
  std::uint32_t count = 0;
  const std::uint64_t* frames = depot.get(id, &count);
  return {frames, frames + count};
}

TEST(StackDepot, TheSameStackHasTheSameNumber) {
  StackDepot depot;
  const std::vector<std::uint64_t> one{1, 2, 3}, other{1, 2, 4};
  const std::uint32_t id = depot.add(one.data(), 3);
  EXPECT_NE(id, 0u);
  EXPECT_EQ(depot.add(one.data(), 3), id);
  EXPECT_NE(depot.add(other.data(), 3), id);
  EXPECT_NE(depot.add(one.data(), 2), id);
  EXPECT_EQ(frames_of(depot, id), one);
}

TEST(StackDepot, NothingHasNumberZero) {
  const StackDepot depot;
  EXPECT_TRUE(frames_of(depot, 0).empty());
}

TEST(StackDepot, KeepsThemWhenItGrows) {
  StackDepot depot;
  std::vector<std::uint32_t> ids;
  constexpr std::uint64_t kStacks = 20'000;
  for (std::uint64_t i = 0; i < kStacks; ++i) {
    const std::uint64_t frames[] = {0x401000 + i, 0x402000, i % 7};
    ids.push_back(depot.add(frames, 1 + i % 3));
  }
  for (std::uint64_t i = 0; i < kStacks; ++i) {
    const std::uint64_t frames[] = {0x401000 + i, 0x402000, i % 7};
    ASSERT_EQ(depot.add(frames, 1 + i % 3), ids[i]);
    ASSERT_EQ(frames_of(depot, ids[i]), std::vector<std::uint64_t>(frames, frames + 1 + i % 3));
  }
}

TEST(StackDepot, IsFullAtSomeTime) {
  StackDepot depot;
  std::uint64_t frames[StackDepot::kFrames] = {};
  std::uint64_t added = 0;
  while (depot.add(frames, StackDepot::kFrames) != 0) frames[0] = ++added;
  EXPECT_EQ(added, StackDepot::kMaxWords / (StackDepot::kFrames + 1));
  frames[0] = 0;
  EXPECT_NE(depot.add(frames, StackDepot::kFrames), 0u);  // known already
}

}  // namespace
}  // namespace snag::rt
