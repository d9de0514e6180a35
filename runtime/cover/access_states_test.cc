#include "runtime/cover/access_states.h"

#include <gmock/gmock.h>
#include <sys/mman.h>

#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace snag::rt {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

struct Access {
  std::uint32_t thread, location, kind;
};

class CoverStatesTest : public testing::Test {
 protected:
  CoverStatesTest() {
    void* memory = mmap(nullptr, sizeof(CoverStore), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    store = static_cast<CoverStore*>(memory);
    store->config.metrics = metric_bit(Metric::kLocationPairs) | metric_bit(Metric::kDefUse);
    store->config.target = 1;
    tables.attach(store);
    EXPECT_TRUE(states.init(&tables, false));
  }
  ~CoverStatesTest() override { munmap(store, sizeof(CoverStore)); }

  // The history of one variable.
  CoverWord play(const std::vector<Access>& accesses) {
    CoverWord word = 0;
    for (const Access& a : accesses)
      word = states.next(word, make_access(a.thread, a.kind, a.location), 0x1000);
    return word;
  }

  Pairs pairs(Metric metric, std::uint32_t flag) const {
    Pairs found;
    for (std::uint32_t i = 0; i < store->pair_count; ++i) {
      const CoverPair& pair = store->pairs[i];
      if (pair.ready && pair.metric == metric && (pair.flags & flag))
        found.insert({pair.first, pair.second});
    }
    return found;
  }
  Pairs covered() const { return pairs(Metric::kLocationPairs, kIsCovered); }
  Pairs target() const { return pairs(Metric::kLocationPairs, kIsTarget); }

  CoverStore* store;
  CoverTables tables;
  CoverStates states;
};

TEST_F(CoverStatesTest, OneThreadAloneFormsNoPairs) {
  play({{3, 1, kWrites}, {3, 2, kReads}, {3, 1, kWrites}});
  EXPECT_THAT(covered(), IsEmpty());
  EXPECT_THAT(target(), IsEmpty());
}

TEST_F(CoverStatesTest, OnlyNeighboursAreCoveredButAllMayBe) {
  play({{0, 1, kWrites}, {1, 2, kReads}, {0, 3, kReads}, {1, 4, kWrites}});
  EXPECT_THAT(covered(), UnorderedElementsAre(std::pair(1, 2), std::pair(3, 4)));
  EXPECT_THAT(target(), UnorderedElementsAre(std::pair(1, 2), std::pair(2, 1), std::pair(1, 4),
                                             std::pair(4, 1), std::pair(3, 4), std::pair(4, 3)));
}

TEST_F(CoverStatesTest, TwoReadsAreNoPair) {
  play({{0, 1, kReads}, {1, 2, kReads}});
  EXPECT_THAT(covered(), IsEmpty());
  EXPECT_THAT(target(), IsEmpty());
}

TEST_F(CoverStatesTest, UsesSeeTheLastWrite) {
  play({{0, 1, kWrites}, {1, 2, kReads}, {1, 3, kReads}, {2, 4, kReads | kWrites}, {0, 5, kReads}});
  EXPECT_THAT(
      pairs(Metric::kDefUse, kIsCovered),
      UnorderedElementsAre(std::pair(1, 2), std::pair(1, 3), std::pair(1, 4), std::pair(4, 5)));
}

TEST_F(CoverStatesTest, TheSameAgainChangesNothing) {
  const std::vector<Access> accesses = {{0, 1, kWrites}, {1, 2, kReads}};
  const CoverWord once = play(accesses);
  EXPECT_EQ(states.next(once, make_access(1, kReads, 2), 0x1000), once);
  EXPECT_EQ(play(accesses), once);
}

TEST_F(CoverStatesTest, ThreadsShareTheShapesOfWhatIsTheirOwn) {
  const CoverWord first = play({{5, 1, kWrites}, {5, 2, kReads}});
  const CoverWord second = play({{9, 1, kWrites}, {9, 2, kReads}});
  EXPECT_EQ(first & kShapeMask, second & kShapeMask);
  EXPECT_NE(first, second);
}

TEST_F(CoverStatesTest, OrderOfTheSetDoesNotMatter) {
  const CoverWord first = play({{0, 1, kWrites}, {1, 2, kWrites}, {0, 3, kReads}, {1, 4, kWrites}});
  const CoverWord second =
      play({{0, 3, kReads}, {0, 1, kWrites}, {1, 2, kWrites}, {1, 4, kWrites}});
  EXPECT_EQ(first, second);
}

// The definitions, on the whole list.
void expect(const std::vector<Access>& accesses, Pairs& covered, Pairs& target, Pairs& uses,
            Pairs& use_target) {
  const auto writes = [](const Access& a) { return (a.kind & kWrites) != 0; };
  const auto reads = [](const Access& a) { return (a.kind & kReads) != 0; };
  for (std::size_t j = 0; j < accesses.size(); ++j) {
    const Access& second = accesses[j];
    if (j > 0) {
      const Access& first = accesses[j - 1];
      if (first.thread != second.thread && (writes(first) || writes(second)))
        covered.insert({first.location, second.location});
    }
    for (std::size_t i = j; reads(second) && i-- > 0;) {
      if (!writes(accesses[i])) continue;
      if (accesses[i].thread != second.thread) uses.insert({accesses[i].location, second.location});
      break;
    }
    for (const Access& other : accesses) {
      if (other.thread == second.thread) continue;
      if (writes(other) || writes(second)) target.insert({other.location, second.location});
      if (writes(other) && reads(second)) use_target.insert({other.location, second.location});
    }
  }
}

// With locations of this round only, so that a pair comes from one history.
std::vector<Access> random_history(std::mt19937& random, int round) {
  std::vector<Access> accesses;
  const std::uint32_t base = static_cast<std::uint32_t>(round) * 6 + 1;
  for (int i = 0; i < 1 + static_cast<int>(random() % 30); ++i) {
    const std::uint32_t location = base + random() % 6;
    // Some locations only read, some only write, one does both.
    const std::uint32_t kinds[] = {kReads, kReads, kWrites, kWrites, kReads | kWrites, kReads};
    accesses.push_back(
        {static_cast<std::uint32_t>(random() % 4), location, kinds[(location - base) % 6]});
  }
  return accesses;
}

TEST_F(CoverStatesTest, EqualsTheDefinitionsOnRandomHistories) {
  std::mt19937 random(1);
  Pairs covered_pairs, target_pairs, uses, use_target;
  for (int round = 0; round < 300; ++round) {
    const std::vector<Access> accesses = random_history(random, round);
    play(accesses);
    expect(accesses, covered_pairs, target_pairs, uses, use_target);
  }
  EXPECT_EQ(covered(), covered_pairs);
  EXPECT_EQ(target(), target_pairs);
  EXPECT_EQ(pairs(Metric::kDefUse, kIsCovered), uses);
  EXPECT_EQ(pairs(Metric::kDefUse, kIsTarget), use_target);
  EXPECT_EQ(store->lost_variables, 0);
}

TEST_F(CoverStatesTest, WordsAreNumbersIfNobodyAsksForTheLastWrite) {
  store->config.metrics = metric_bit(Metric::kLocationPairs);
  std::mt19937 random(2);
  Pairs covered_pairs, target_pairs, uses, use_target;
  for (int round = 0; round < 300; ++round) {
    const std::vector<Access> accesses = random_history(random, round);
    EXPECT_TRUE(is_plain(play(accesses)));
    expect(accesses, covered_pairs, target_pairs, uses, use_target);
  }
  EXPECT_EQ(covered(), covered_pairs);
  EXPECT_EQ(target(), target_pairs);
}

TEST_F(CoverStatesTest, NothingIsLostWhenNumbersRunOut) {
  store->config.metrics = metric_bit(Metric::kLocationPairs);
  // A block of numbers for each of so many threads.
  for (std::uint32_t thread = 0; thread < (kNumberMask + 1) / kNumberBlock; ++thread)
    play({{thread, 1, kReads}});
  const CoverWord word = play({{2000, 2, kWrites}, {2001, 3, kWrites}, {0, 1, kReads}});
  EXPECT_TRUE(is_plain(word));  // the first thread has one
  EXPECT_FALSE(is_plain(play({{2000, 2, kWrites}})));
  EXPECT_THAT(covered(), UnorderedElementsAre(std::pair(2, 3), std::pair(3, 1)));
  EXPECT_THAT(target(), UnorderedElementsAre(std::pair(2, 3), std::pair(3, 2), std::pair(1, 2),
                                             std::pair(2, 1), std::pair(1, 3), std::pair(3, 1)));
  EXPECT_EQ(store->lost_variables, 0);
}

TEST_F(CoverStatesTest, EachByteOfAWordHasItsHistory) {
  for (const std::uint32_t metrics : {1u, 3u}) {
    store->config.metrics = metrics;
    std::mt19937 random(3);
    CoverWord word = 0, bytes[4]{};
    int rows = 0;
    for (int i = 0; i < 20'000; ++i) {
      const CoverAccess access = make_access(random() % 3, kWrites, 1 + random() % 3);
      CoverBytes accessed = 1 + random() % kWholeWord;
      if (random() % 8 == 0) accessed = kWholeWord;
      word = states.next(word, access, 0x1000, accessed);
      if (random() % 8 == 0) word = 0;
      for (std::uint32_t k = 0; k < 4; ++k) {
        if ((accessed >> k & 1) != 0) bytes[k] = states.next(bytes[k], access, 0x1000 + k);
        if (word == 0) bytes[k] = 0;
        ASSERT_EQ(states.byte_word(word, k), bytes[k]);
      }
      rows += is_row(word);
      const bool same = bytes[0] == bytes[1] && bytes[1] == bytes[2] && bytes[2] == bytes[3];
      ASSERT_EQ(is_row(word), !same);
    }
    EXPECT_GT(rows, 1000);
  }
}

TEST_F(CoverStatesTest, TooManyRowsAreSplit) {
  store->config.metrics = metric_bit(Metric::kLocationPairs);
  bool splits = false;
  for (std::uint32_t first = 1; first < 300; ++first) {
    for (std::uint32_t second = 1; second < 300; ++second) {
      const CoverWord word = states.next(0, make_access(0, kWrites, first), 0x1000, 1);
      if (word == kSplitWord) continue;
      splits = states.next(word, make_access(0, kWrites, second), 0x1000, 2) == kSplitWord;
    }
  }
  EXPECT_TRUE(splits);
  EXPECT_EQ(states.next(0, make_access(0, kWrites, 1), 0x1000),
            states.next(0, make_access(0, kWrites, 1), 0x1000, kWholeWord));
}

TEST_F(CoverStatesTest, ManyAccessesOfOneVariableAreCountedAsLost) {
  CoverWord word = 0;
  for (std::uint32_t location = 1; location < 2000; ++location)
    word = states.next(word, make_access(0, kWrites, location), 0x1000);
  EXPECT_GT(store->lost_variables, 0);
  // What is next to each other is known all the same.
  states.next(word, make_access(1, kReads, 5000), 0x1000);
  EXPECT_THAT(covered(), UnorderedElementsAre(std::pair(1999, 5000)));
}

}  // namespace
}  // namespace snag::rt
