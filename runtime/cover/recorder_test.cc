#include "runtime/cover/recorder.h"

#include <gmock/gmock.h>
#include <sys/mman.h>

#include <map>
#include <random>
#include <set>
#include <vector>

#include "runtime/cover/cover.h"
#include "runtime/cover/place_numbers.h"

namespace snag::rt {
namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

// A process has one shadow memory: all tests share it, each with memory of its own.
class CoverRecordTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    void* memory = mmap(nullptr, sizeof(CoverStore), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    auto* store = static_cast<CoverStore*>(memory);
    store->config.metrics = metric_bit(Metric::kLocationPairs);
    store->config.target = 1;
    cover_tables.attach(store);
    ASSERT_EQ(map_cover_planes(), nullptr);
    ASSERT_TRUE(cover_states.init(&cover_tables, false));
  }

  static void record(std::uint32_t thread, std::uint32_t location, std::uint32_t kind,
                     const void* address, std::uint64_t size) {
    static std::vector<CoverTransition> transitions(kCoverTransitions);
    CoverRecorder(transitions.data(), make_access(thread, kind, location))
        .record(reinterpret_cast<std::uint64_t>(address), size);
  }

  // Returns the pairs that are covered by it; locations from `base` on.
  static Pairs record_at_random(std::uint32_t base, char (&memory)[64]);

  // Of the hundred locations from `first` on.
  static Pairs covered(std::uint32_t first) {
    Pairs pairs;
    const CoverStore* store = cover_tables.store();
    for (std::uint32_t i = 0; i < store->pair_count; ++i) {
      const CoverPair& pair = store->pairs[i];
      if (pair.first - first < 100 && (pair.flags & kIsCovered))
        pairs.insert({pair.first, pair.second});
    }
    return pairs;
  }
};

TEST_F(CoverRecordTest, NeighboursInAWordAreDifferentVariables) {
  alignas(8) char bytes[8];
  record(0, 101, kWrites, &bytes[0], 1);
  record(1, 102, kWrites, &bytes[1], 1);
  record(0, 103, kWrites, &bytes[2], 2);
  EXPECT_THAT(covered(101), testing::IsEmpty());
  record(1, 104, kReads, &bytes[0], 4);
  EXPECT_THAT(covered(101),
              testing::UnorderedElementsAre(std::pair(101, 104), std::pair(103, 104)));
}

TEST_F(CoverRecordTest, ForgottenMemoryIsNew) {
  static char large[1 << 20];
  std::uint32_t base = 200;
  for (const std::uint64_t size : {8ul, 100ul, 5000ul, 100'000ul}) {
    base += 100;
    record(0, base, kWrites, large + 8, size);
    record(0, base + 1, kWrites, large + 8 + size, 8);
    cover_forget(large + 8, size);
    record(1, base + 2, kReads, large + 8, size);
    EXPECT_THAT(covered(base), testing::IsEmpty()) << size;
    record(1, base + 2, kReads, large + 12 + size, 4);
    EXPECT_THAT(covered(base), testing::UnorderedElementsAre(std::pair(base + 1, base + 2)));
    cover_forget(large, sizeof large);
  }
}

// Against the last access of each byte.
Pairs CoverRecordTest::record_at_random(std::uint32_t base, char (&memory)[64]) {
  struct Last {
    std::uint32_t thread, location, kind;
  };
  std::map<int, Last> last;
  Pairs expected;
  std::mt19937 random(7);
  constexpr std::uint64_t kSizes[] = {1, 1, 2, 4, 4, 8, 8, 16, 3, 11, 29};
  for (int i = 0; i < 20'000; ++i) {
    const std::uint32_t thread = random() % 3;
    const std::uint32_t location = base + random() % 40;
    const std::uint32_t kind = location % 2 == 0 ? kReads : kWrites;
    const std::uint64_t size = kSizes[random() % std::size(kSizes)];
    const int at = static_cast<int>(random() % (sizeof memory - size + 1));
    record(thread, location, kind, memory + at, size);
    for (int byte = at; byte < at + static_cast<int>(size); ++byte) {
      if (const auto before = last.find(byte); before != last.end()) {
        const Last& first = before->second;
        if (first.thread != thread && ((first.kind | kind) & kWrites))
          expected.insert({first.location, location});
      }
      last[byte] = {thread, location, kind};
    }
  }
  return expected;
}

TEST_F(CoverRecordTest, EqualsTheDefinitionForAllSizesAndPlaces) {
  alignas(16) static char memory[64];
  const Pairs expected = record_at_random(1000, memory);
  EXPECT_EQ(covered(1000), expected);
  EXPECT_EQ(cover_tables.store()->lost_variables, 0);
}

TEST_F(CoverRecordTest, EqualsTheDefinitionWhenBytesNeedWordsOfTheirOwn) {
  alignas(4) char bytes[4];
  for (std::uint32_t first = 2000; first < 2300; ++first) {
    for (std::uint32_t second = 2000; second < 2300; ++second) {
      cover_forget(bytes, sizeof bytes);
      record(0, first, kWrites, &bytes[0], 1);
      record(0, second, kWrites, &bytes[1], 1);
    }
  }
  EXPECT_EQ(*cover_word(reinterpret_cast<std::uint64_t>(bytes)), kSplitWord);
  alignas(16) static char memory[64];
  const Pairs expected = record_at_random(3000, memory);
  EXPECT_EQ(covered(3000), expected);
}

}  // namespace
}  // namespace snag::rt
