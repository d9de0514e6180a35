#include "runtime/cover/inline_cache.h"

#include <gmock/gmock.h>
#include <sys/mman.h>

#include <random>
#include <vector>

namespace snag::rt {
namespace {

constexpr std::uint32_t kThreads = 3, kLocations = 5, kVariables = 8;

// The threads' tables must agree with the shared states, whatever the order of threads and
// accesses.
class CoverChangesTest : public testing::Test {
 protected:
  CoverChangesTest() {
    store_ = map<CoverStore>();
    store_->config.metrics = metric_bit(Metric::kLocationPairs);
    store_->config.target = 1;
    tables_.attach(store_);
    EXPECT_TRUE(cover_states.init(&tables_, false));
    for (CoverMemory*& memory : memories_) memory = map<CoverMemory>();
  }
  ~CoverChangesTest() override {
    munmap(store_, sizeof *store_);
    for (CoverMemory* memory : memories_) munmap(memory, sizeof *memory);
  }

  template <class T>
  static T* map() {
    return static_cast<T*>(mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  }
  static std::uint32_t kind_of(std::uint32_t location) {
    return location % 2 == 0 ? kReads : kWrites;
  }

  CoverEntry megamorphic_entry(std::uint32_t thread, std::uint32_t location) {
    const CoverAccess access = make_access(thread, kind_of(location), location);
    CoverEntry entry{};
    entry.access_key =
        key_of({access, static_cast<std::uint16_t>(cover_states.number(access)), 0, 0});
    take_row(memories_[thread], &entry);
    return entry;
  }

  CoverStore* store_;
  CoverTables tables_;
  CoverMemory* memories_[kThreads];
};

TEST_F(CoverChangesTest, WhatIsKnownIsWhatTheStatesAnswer) {
  std::vector<std::vector<CoverEntry>> entries(kThreads);
  for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
    for (std::uint32_t location = 1; location <= kLocations; ++location)
      entries[thread].push_back(megamorphic_entry(thread, location));
  }
  std::mt19937 random(1);
  CoverWord words[kVariables]{};
  int asked = 0, known = 0, stepped = 0;
  for (int i = 0; i < 200'000; ++i) {
    CoverWord& word = words[random() % kVariables];
    if (random() % 16 == 0) word = 0;  // freed, and something new
    const std::uint32_t thread = random() % kThreads;
    CoverMemory* memory = memories_[thread];
    const CoverSelf self = entries[thread][random() % kLocations].self();
    ASSERT_NE(self.row, 0);
    const CoverWord before = word, after = cover_states.next(word, self.access, 0x1000);
    KnownChange change;
    std::uint32_t cell = before;
    if (change_by_step(memory, self, &cell)) {
      ++stepped;
      ASSERT_EQ(cell, after) << "after " << before << " by " << self.access;
    }
    if (find_change(memory, self, before, &change)) {
      ++known;
      ASSERT_EQ(change.to, after) << "after " << before << " by " << self.access;
      ASSERT_EQ(change.is_shared_read, cover_states.is_shared_read(before, self.access));
      know_in_row(memory, self, before, change.to);
    } else {
      ++asked;
      know_change(memory, self, before, after);
    }
    word = after;
  }
  // And mostly it is known. (There are more steps than there is room for.)
  EXPECT_GT(known, 3 * asked);
  EXPECT_GT(stepped, known / 2);
}

TEST_F(CoverChangesTest, AnAccessKeepsItsRow) {
  const CoverEntry first = megamorphic_entry(0, 1), second = megamorphic_entry(0, 2);
  EXPECT_NE(first.self().row, second.self().row);
  EXPECT_EQ(megamorphic_entry(0, 1).self().row, first.self().row);
  for (std::uint32_t location = 3; location < 2 * kCoverRows; ++location)
    megamorphic_entry(0, location);
  EXPECT_EQ(megamorphic_entry(0, 2 * kCoverRows).self().row, 0);  // there is none left
  EXPECT_EQ(megamorphic_entry(0, 2).self().row, second.self().row);
}

}  // namespace
}  // namespace snag::rt
