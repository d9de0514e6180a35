#include "runtime/cover/identities.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

namespace snag::rt {
namespace {

CoverMemory* memory_of(std::uint32_t number) {
  return reinterpret_cast<CoverMemory*>(std::uintptr_t{number + 1} << 12);
}

class CoverIdentitiesTest : public testing::Test {
 protected:
  std::vector<std::uint32_t> start(std::uint32_t count) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < count; ++i) numbers.push_back(all_->take().number);
    return numbers;
  }
  void end(const std::vector<std::uint32_t>& numbers) {
    for (const std::uint32_t number : numbers) all_->leave({number, memory_of(number)});
  }

  std::unique_ptr<CoverIdentities> all_ = std::make_unique<CoverIdentities>();
};

TEST_F(CoverIdentitiesTest, ThreadsThatLiveTogetherDiffer) {
  const auto numbers = start(kMaxCoverThreads);
  EXPECT_EQ(std::set(numbers.begin(), numbers.end()).size(), kMaxCoverThreads);
  EXPECT_EQ(all_->take().number, kMaxCoverThreads);
  end({7});
  EXPECT_EQ(all_->take().number, 7);
  EXPECT_EQ(all_->take().number, kMaxCoverThreads);
}

TEST_F(CoverIdentitiesTest, NoneOfTheLastThreadsHadTheNumber) {
  start(1);
  std::vector<std::uint32_t> all;
  for (int i = 0; i < 3000; ++i) {
    const auto number = start(1);
    const auto first = all.end() - std::min<std::ptrdiff_t>(CoverIdentities::kReserve, i);
    EXPECT_EQ(std::find(first, all.end(), number[0]), all.end()) << i;
    all.push_back(number[0]);
    end(number);
  }
  EXPECT_LE(all_->count(), CoverIdentities::kReserve + 2);
}

TEST_F(CoverIdentitiesTest, CounterpartsInGroupsDiffer) {
  for (const std::uint32_t size : {2u, 4u, 16u, 17u, 18u, 34u, 64u}) {
    all_ = std::make_unique<CoverIdentities>();
    start(1);
    std::vector<std::uint32_t> before(size, kMaxCoverThreads);
    std::set<std::vector<std::uint32_t>> groups;
    for (int round = 0; round < 300; ++round) {
      auto group = start(size);
      for (std::uint32_t i = 0; i < size; ++i) EXPECT_NE(group[i], before[i]) << size;
      before = group;
      end(group);
      std::sort(group.begin(), group.end());
      groups.insert(group);
    }
    EXPECT_LE(groups.size(), size + CoverIdentities::kReserve + 2) << size;
  }
}

TEST_F(CoverIdentitiesTest, WhatWasLearnedGoesWithTheNumber) {
  start(1);
  bool learned = false;
  for (int round = 0; round < 100; ++round) {
    const CoverIdentity identity = all_->take();
    if (identity.memory) {
      learned = true;
      EXPECT_EQ(identity.memory, memory_of(identity.number));
    }
    EXPECT_TRUE(all_->leave({identity.number, memory_of(identity.number)}));
  }
  EXPECT_TRUE(learned);
}

TEST_F(CoverIdentitiesTest, MemoryOfManyThreadsIsGivenBack) {
  const auto numbers = start(1000);
  int kept = 0;
  for (const std::uint32_t number : numbers) kept += all_->leave({number, memory_of(number)});
  EXPECT_LT(kept, 100);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const CoverIdentity identity = all_->take();
    if (identity.memory) --kept;
  }
  EXPECT_LE(kept, 17);
}

}  // namespace
}  // namespace snag::rt
