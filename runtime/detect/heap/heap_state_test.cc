#include "runtime/detect/heap/heap_state.h"

#include <gtest/gtest.h>

namespace snag::rt {
namespace {

// Any addresses will do: the table does not look at the memory itself.
constexpr std::uint64_t kLeaf = 1ull << kHeapLeafShift;

class HeapState : public testing::Test {
 protected:
  HeapState() {
    init_heap_state();
    EXPECT_TRUE(make_heap_leaves(kBase, kBase + 2 * kLeaf));
    set_heap_state(kBase, kBase + 2 * kLeaf, 0);
  }
  static constexpr std::uint64_t kBase = 0x500000000000;
};

TEST_F(HeapState, WhatIsNotKnownMayBeAccessed) {
  EXPECT_EQ(heap_state(0x600000000000), 0);
  EXPECT_EQ(first_bad_byte(0x600000000000, 3 * kLeaf), 0u);
  set_heap_state(0x600000000000, 0x600000000040, kFreedMemory);  // has no leaf: no effect
  EXPECT_EQ(heap_state(0x600000000000), 0);
}

TEST_F(HeapState, FindsTheFirstBadByte) {
  set_heap_state(kBase + 64, kBase + 96, kFreedMemory);
  EXPECT_EQ(first_bad_byte(kBase, 64), 0u);
  EXPECT_EQ(first_bad_byte(kBase, 65), kBase + 64);
  EXPECT_EQ(first_bad_byte(kBase + 60, 8), kBase + 64);
  EXPECT_EQ(first_bad_byte(kBase + 70, 1), kBase + 70);
  EXPECT_EQ(first_bad_byte(kBase + 96, 4096), 0u);
  EXPECT_EQ(first_bad_byte(kBase + 64, 0), 0u);
}

TEST_F(HeapState, OnlyTheFirstBytesOfAWord) {
  set_heap_state(kBase + 64, kBase + 72, 3);
  EXPECT_EQ(first_bad_byte(kBase + 64, 3), 0u);
  EXPECT_EQ(first_bad_byte(kBase + 64, 4), kBase + 67);
  EXPECT_EQ(first_bad_byte(kBase + 66, 1), 0u);
  EXPECT_EQ(first_bad_byte(kBase + 67, 1), kBase + 67);
  EXPECT_EQ(first_bad_byte(kBase + 69, 2), kBase + 69);
  EXPECT_EQ(first_bad_byte(kBase, 4096), kBase + 67);
}

TEST_F(HeapState, CrossesLeaves) {
  set_heap_state(kBase + kLeaf - 16, kBase + kLeaf + 16, kBackZone);
  EXPECT_EQ(heap_state(kBase + kLeaf - 17), 0);
  EXPECT_EQ(heap_state(kBase + kLeaf - 1), kBackZone);
  EXPECT_EQ(heap_state(kBase + kLeaf + 15), kBackZone);
  EXPECT_EQ(heap_state(kBase + kLeaf + 16), 0);
  EXPECT_EQ(first_bad_byte(kBase, 2 * kLeaf), kBase + kLeaf - 16);
  EXPECT_EQ(first_bad_byte(kBase + kLeaf + 16, kLeaf - 16), 0u);
}

TEST_F(HeapState, LooksDownwards) {
  set_heap_state(kBase + 96, kBase + 128, kFrontZone);
  EXPECT_EQ(state_below(kBase + 128, 8), kBase + 127);
  EXPECT_EQ(state_below(kBase + 128 + 7, 8), kBase + 127);
  EXPECT_EQ(state_below(kBase + kLeaf + 8192, 2 * kLeaf), kBase + 127);
  EXPECT_EQ(state_below(kBase + 8192, 64), 0u);
  EXPECT_EQ(state_below(kBase + 96, 4 * kLeaf), 0u);
}

}  // namespace
}  // namespace snag::rt
