#include "runtime/record/open_accesses.h"

#include <gtest/gtest.h>

namespace snag::rt {
namespace {

TEST(OpenAccesses, TheNextOneSeesWhoWasThere) {
  static OpenAccesses open;
  open.add(0x1000, 4, 1);
  EXPECT_EQ(open.take(0x1000, 4, 2), 1);
  EXPECT_EQ(open.take(0x1000, 4, 2), kNoTid);
}

TEST(OpenAccesses, OneByteIsEnough) {
  static OpenAccesses open;
  open.add(0x1000, 8, 1);
  EXPECT_EQ(open.take(0x1007, 1, 2), 1);
  EXPECT_EQ(open.take(0x1000, 8, 3), 1);  // the other seven
}

TEST(OpenAccesses, NeighboursAreOthers) {
  static OpenAccesses open;
  open.add(0x1001, 1, 1);
  EXPECT_EQ(open.take(0x1000, 1, 2), kNoTid);
  EXPECT_EQ(open.take(0x1002, 8, 2), kNoTid);
  EXPECT_EQ(open.take(0x0ff8, 16, 2), 1);
}

TEST(OpenAccesses, TheThreadsOwnAccessComesBetween) {
  static OpenAccesses open;
  open.add(0x1000, 4, 1);
  EXPECT_EQ(open.take(0x1000, 4, 1), kNoTid);
  EXPECT_EQ(open.take(0x1000, 4, 2), kNoTid);
}

TEST(OpenAccesses, TheOldestAreForgotten) {
  static OpenAccesses open;
  for (std::uint64_t i = 0; i < 1000; ++i) open.add(0x1000 + 64 * i, 4, 1);
  EXPECT_EQ(open.take(0x1000, 4, 2), kNoTid);
  EXPECT_EQ(open.take(0x1000 + 64 * 999, 4, 2), 1);
}

}  // namespace
}  // namespace snag::rt
