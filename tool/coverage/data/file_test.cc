#include "tool/coverage/data/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/coverage/data/coverage_example_for_test.h"
#include "tool/coverage/data/merge.h"

namespace snag::coverage {
namespace {

using testing::HasSubstr;

CoverData parsed(const std::string& text) {
  auto read = parse_cover(text, "file");
  EXPECT_TRUE(read) << read.error().message;
  return read ? std::move(read->data) : CoverData();
}

std::string message(const std::string& text) {
  const auto read = parse_cover(text, "file");
  return read ? "" : read.error().message;
}

TEST(CoverFile, IsReadAsItWasWritten) {
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    const CoverData data = example::random_data(random);
    const std::string text = format_cover(in_order(data));
    const auto read = parse_cover(text, "file");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->bad_lines, 0u);
    ASSERT_EQ(format_cover(in_order(read->data)), text) << "trial " << i;
  }
}

TEST(CoverFile, GrowsByWhatIsNew) {
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    CoverData data = example::random_data(random);
    RecordWriter writer;
    std::string text = writer.news(data, false);
    EXPECT_EQ(writer.news(data, false), "");
    const Moment moment{0, 10'000'000, 1, 1};  // later than all there is
    data.see(0, kSeenWrite | kSeenBlocked, moment);
    data.add_pair({Metric::kDefUse, 0, 0, kPairCovered, data.text_id("new"), moment});
    text += writer.news(data, true);
    ASSERT_EQ(format_cover(in_order(parsed(text))), format_cover(in_order(data)));
  }
}

// Whatever is there of a file that was cut, all whole records of it count.
TEST(CoverFile, KeepsWholeRecordsWhereverItIsCut) {
  const std::string text = format_cover(example::queue());
  const std::size_t head = text.find('\n', text.find('\n') + 1) + 1;  // version and build
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const auto read = parse_cover(text.substr(0, size), "file");
    if (size < head) {
      ASSERT_FALSE(read) << "cut at " << size;
      continue;
    }
    ASSERT_TRUE(read) << "cut at " << size << ": " << read.error().message;
    const std::size_t whole = text.rfind('\n', size - 1) + 1;
    EXPECT_EQ(read->bad_lines, size == whole ? 0u : 1u) << "cut at " << size;
    EXPECT_EQ(format_cover(read->data), format_cover(parsed(text.substr(0, whole))))
        << "cut at " << size;
  }
}

TEST(CoverFile, LeavesOutWhatIsDamaged) {
  const std::string text = format_cover(example::queue());
  for (std::size_t at = text.find('\n') + 1; at < text.size(); ++at) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    const auto read = parse_cover(damaged, "file");
    if (!read) continue;
    EXPECT_GE(read->bad_lines, 1u) << "byte " << at;
  }
}

TEST(CoverFile, RefusesWhatIsNone) {
  EXPECT_THAT(message(""), HasSubstr("'file' is empty"));
  EXPECT_THAT(message("{\"snag\":\"trace\"}"), HasSubstr("is not a coverage file"));
  EXPECT_THAT(message("snag-cover 2\n"), HasSubstr("another version of Snag (format 2, this one "
                                                   "reads 1)"));
  EXPECT_THAT(message("snag-cover 1\n"), HasSubstr("was cut before anything was measured"));
  EXPECT_FALSE(read_cover("/no/such/file"));
  EXPECT_FALSE(read_cover("/dev/null"));
  EXPECT_FALSE(read_cover("/"));
}

TEST(CoverFile, DoesNotGrowWithTheClock) {
  CoverData data = example::queue();
  RecordWriter writer;
  std::size_t size = writer.news(data, false).size();
  Shard shard = data.shards()[0];
  for (int second = 1; second <= 86'400; ++second) {  // a day
    shard.counts[Shard::kDuration] = static_cast<std::uint64_t>(second) * 1'000'000;
    shard.counts[Shard::kCalls] += 1'000'000;
    data.add_shard(shard);
    data.set_count(6, 0, 100 * static_cast<std::uint64_t>(second));
    size += writer.news(data, false).size();
  }
  size += writer.news(data, true).size();
  EXPECT_LT(size, 50'000u);
}

}  // namespace
}  // namespace snag::coverage
