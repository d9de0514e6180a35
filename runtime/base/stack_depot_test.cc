#include "runtime/base/stack_depot.h"

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

TEST(StackDepot, CallsFromTheOutermostAreTheSameStack) {
  StackDepot depot;
  const std::vector<std::uint64_t> calls{5, 4, 3, 2};
  const std::vector<std::uint64_t> frames{1, 2, 3, 4, 5};
  const std::uint32_t id = depot.add(1, calls.data(), 4);
  EXPECT_EQ(frames_of(depot, id), frames);
  EXPECT_EQ(depot.add(1, calls.data(), 4), id);
  EXPECT_EQ(depot.add(frames.data(), 5), id);
  // The innermost frames are the same, and the number of frames, or only some of them.
  const std::vector<std::uint64_t> others{6, 4, 3, 2};
  const std::uint32_t other = depot.add(1, others.data(), 4);
  EXPECT_NE(other, id);
  EXPECT_EQ(frames_of(depot, other), (std::vector<std::uint64_t>{1, 2, 3, 4, 6}));
  EXPECT_EQ(frames_of(depot, depot.add(1, calls.data() + 1, 3)),
            (std::vector<std::uint64_t>{1, 2, 3, 4}));
  EXPECT_EQ(frames_of(depot, depot.add(1, calls.data(), 0)), (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(depot.add(1, calls.data(), 4), id);
}

TEST(StackDepot, KeepsTheInnermostOfManyCalls) {
  StackDepot depot;
  std::vector<std::uint64_t> calls;
  for (std::uint64_t i = 0; i < 40; ++i) calls.push_back(100 + i);
  const std::uint32_t id = depot.add(1, calls.data(), 40);
  const std::vector<std::uint64_t> frames = frames_of(depot, id);
  ASSERT_EQ(frames.size(), StackDepot::kFrames);
  EXPECT_EQ(frames[0], 1u);
  EXPECT_EQ(frames[1], 139u);
  EXPECT_EQ(frames.back(), 100 + 40 - (StackDepot::kFrames - 1));
  EXPECT_EQ(depot.add(1, calls.data(), 40), id);
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
