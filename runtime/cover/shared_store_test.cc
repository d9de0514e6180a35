#include "runtime/cover/shared_store.h"

#include <gmock/gmock.h>
#include <sys/mman.h>

#include <set>
#include <thread>
#include <vector>

namespace snag::rt {
namespace {

class CoverStoreTest : public testing::Test {
 protected:
  CoverStoreTest() {
    void* memory = mmap(nullptr, sizeof(CoverStore), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    store = static_cast<CoverStore*>(memory);
    tables.attach(store);
  }
  ~CoverStoreTest() override { munmap(store, sizeof(CoverStore)); }

  CoverStore* store;
  CoverTables tables;
};

constexpr ModulePc kNoCallers[kMaxCoverContext] = {};

TEST_F(CoverStoreTest, LocationsHaveOneNumberEach) {
  const ModulePc called[kMaxCoverContext] = {7};
  const std::uint32_t plain = tables.location(0x1234, kNoCallers);
  EXPECT_NE(plain, 0);
  EXPECT_EQ(tables.location(0x1234, kNoCallers), plain);
  EXPECT_NE(tables.location(0x1234, called), plain);
  EXPECT_NE(tables.location(0x1235, kNoCallers), plain);
  EXPECT_EQ(store->locations[plain].pc, 0x1234);
  EXPECT_EQ(store->locations[plain].ready, 1);
}

TEST_F(CoverStoreTest, ASearchEndsInATableThatTheProgramHasFilled) {
  for (auto& index : store->location_index) index.store(UINT32_MAX);
  for (auto& index : store->pair_index) index.store(7);
  EXPECT_EQ(tables.location(0x1234, kNoCallers), 0);
  tables.pair(Metric::kLocationPairs, 1, 2, kIsTarget, 0x10);
  EXPECT_EQ(store->pair_count, 0);
}

TEST_F(CoverStoreTest, PairsKeepTheirFirstCovering) {
  tables.set_run(3);
  tables.pair(Metric::kLocationPairs, 1, 2, kIsTarget | kFirstWrites, 0x10);
  ASSERT_EQ(store->pair_count, 1);
  tables.set_run(5);
  tables.pair(Metric::kLocationPairs, 1, 2, kIsCovered | kFirstWrites, 0x20);
  tables.set_run(9);
  tables.pair(Metric::kLocationPairs, 1, 2, kIsCovered | kFirstWrites, 0x30);
  ASSERT_EQ(store->pair_count, 1);
  EXPECT_EQ(store->pairs[0].run, 5);
  EXPECT_EQ(store->pairs[0].address, 0x20);
  EXPECT_EQ(store->pairs[0].flags, kIsTarget | kIsCovered | kFirstWrites);
  tables.pair(Metric::kDefUse, 1, 2, kIsCovered, 0x30);
  EXPECT_EQ(store->pair_count, 2);
}

TEST_F(CoverStoreTest, CountsHowOften) {
  for (int i = 0; i < 4; ++i) tables.count(Metric::kConcurrentMethods, 1, 2);
  EXPECT_EQ(store->pairs[0].count, 4);
  EXPECT_EQ(store->pairs[0].flags, kIsCovered);
}

TEST_F(CoverStoreTest, ThreadsThatAddTheSameAgree) {
  constexpr std::uint64_t kLocations = 20'000;
  std::vector<std::vector<std::uint32_t>> numbers(4);
  std::vector<std::thread> threads;
  for (auto& mine : numbers) {
    threads.emplace_back([&] {
      for (std::uint64_t i = 0; i < kLocations; ++i) {
        mine.push_back(tables.location(0x1000 + i, kNoCallers));
        tables.pair(Metric::kLocationPairs, mine.back(), mine.front(), kIsCovered, i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& others : numbers) EXPECT_EQ(others, numbers[0]);
  EXPECT_EQ(std::set(numbers[0].begin(), numbers[0].end()).size(), kLocations);
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t i = 0; i < store->pair_count; ++i) {
    if (store->pairs[i].ready) {
      EXPECT_TRUE(pairs.insert({store->pairs[i].first, store->pairs[i].second}).second);
    }
  }
  EXPECT_EQ(pairs.size(), kLocations);
}

TEST_F(CoverStoreTest, SaysWhatDidNotFit) {
  for (std::uint32_t i = 0; i < kMaxCoverLocations + 5; ++i) tables.location(i + 1, kNoCallers);
  EXPECT_EQ(store->lost_locations, 6);  // 0 is not a location
  EXPECT_EQ(tables.location(1, kNoCallers), 1);
}

}  // namespace
}  // namespace snag::rt
