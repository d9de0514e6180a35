#include "runtime/detect/heap/quarantine.h"

#include <gtest/gtest.h>

namespace snag::rt {
namespace {

TEST(Quarantine, KeepsSoManyBlocksTheOldestGoesFirst) {
  Quarantine<int> quarantine(2);
  int blocks[3];
  for (int& block : blocks) quarantine.push(&block, 10);
  EXPECT_EQ(quarantine.pop_excess(100), &blocks[0]);
  EXPECT_EQ(quarantine.pop_excess(100), nullptr);
  EXPECT_EQ(quarantine.count(), 2u);
}

TEST(Quarantine, KeepsSoManyBytes) {
  Quarantine<int> quarantine(10);
  int blocks[3];
  quarantine.push(&blocks[0], 40);
  quarantine.push(&blocks[1], 60);
  EXPECT_EQ(quarantine.pop_excess(100), nullptr);
  quarantine.push(&blocks[2], 50);
  EXPECT_EQ(quarantine.pop_excess(100), &blocks[0]);
  EXPECT_EQ(quarantine.pop_excess(100), &blocks[1]);
  EXPECT_EQ(quarantine.pop_excess(100), nullptr);
}

TEST(Quarantine, GoesRoundAndRound) {
  Quarantine<int> quarantine(3);
  int blocks[100];
  int left = 0;
  for (int& block : blocks) {
    quarantine.push(&block, 1);
    while (int* oldest = quarantine.pop_excess(100)) EXPECT_EQ(oldest, &blocks[left++]);
  }
  EXPECT_EQ(left, 97);
  while (int* oldest = quarantine.pop()) EXPECT_EQ(oldest, &blocks[left++]);
  EXPECT_EQ(left, 100);
  EXPECT_EQ(quarantine.pop(), nullptr);
}

}  // namespace
}  // namespace snag::rt
