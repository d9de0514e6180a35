#include "tool/coverage/data/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/coverage/data/coverage_example_for_test.h"
#include "tool/coverage/data/file.h"

namespace snag::coverage {
namespace {

constexpr int kTrials = 2'000;

// What is equal has the same file.
std::string text(const CoverData& data) { return format_cover(data); }

TEST(Merge, DoesNotDependOnTheOrder) {
  std::mt19937 random(1);
  for (int i = 0; i < kTrials; ++i) {
    const CoverData a = example::random_data(random), b = example::random_data(random);
    ASSERT_EQ(text(merge(a, b)), text(merge(b, a))) << "trial " << i;
  }
}

TEST(Merge, DoesNotDependOnTheGrouping) {
  std::mt19937 random(2);
  for (int i = 0; i < kTrials; ++i) {
    const CoverData a = example::random_data(random), b = example::random_data(random),
                    c = example::random_data(random);
    ASSERT_EQ(text(merge(merge(a, b), c)), text(merge(a, merge(b, c)))) << "trial " << i;
  }
}

TEST(Merge, CountsNothingTwice) {
  std::mt19937 random(3);
  for (int i = 0; i < kTrials; ++i) {
    const CoverData a = example::random_data(random), b = example::random_data(random);
    ASSERT_EQ(text(merge(a, a)), text(in_order(a))) << "trial " << i;
    const CoverData both = merge(a, b);
    ASSERT_EQ(text(merge(both, b)), text(both)) << "trial " << i;
  }
}

TEST(Merge, LosesNothing) {
  const CoverData queue = example::queue();
  const CoverData same = merge(queue, queue);
  EXPECT_EQ(same.pairs().size(), queue.pairs().size());
  EXPECT_EQ(same.locations().size(), queue.locations().size());
  for (std::uint32_t i = 0; i < same.pairs().size(); ++i) {
    if (same.pairs()[i].metric != Metric::kConcurrentMethods) continue;
    EXPECT_EQ(same.count_of(i), 12u);
  }
}

TEST(Merge, AnUnorderedPairIsOne) {
  CoverData data;
  const LocationId a =
      data.add_location(example::location(data, LocationKind::kEntry, "a.cc", 1, 1, "f", 1));
  const LocationId b =
      data.add_location(example::location(data, LocationKind::kEntry, "a.cc", 2, 1, "g", 2));
  data.add_pair({Metric::kConcurrentMethods, a, b, kPairCovered, 0, {}});
  data.add_pair({Metric::kConcurrentMethods, b, a, kPairCovered, 0, {}});
  data.add_pair({Metric::kMethodPairs, a, b, kPairCovered, 0, {}});
  data.add_pair({Metric::kMethodPairs, b, a, kPairCovered, 0, {}});
  EXPECT_EQ(data.pairs().size(), 3u);
}

TEST(Merge, AnUnorderedPairReadsTheSameInEveryFile) {
  const auto data_with = [](bool is_turned) {
    CoverData data;
    const auto add = [&](int line) {
      return data.add_location(
          example::location(data, LocationKind::kEntry, "a.cc", line, 1, "f", line));
    };
    const LocationId one = add(is_turned ? 2 : 1), other = add(is_turned ? 1 : 2);
    data.add_pair({Metric::kConcurrentMethods, one, other, kPairCovered, 0, {}});
    EXPECT_EQ(data.find_pair(Metric::kConcurrentMethods, other, one), 0u);
    return data;
  };
  const CoverData a = data_with(false), b = data_with(true);
  for (const CoverData* data : {&a, &b}) {
    EXPECT_EQ(data->locations()[data->pairs()[0].first].place().line, 1);
    EXPECT_EQ(data->locations()[data->pairs()[0].second].place().line, 2);
  }
  EXPECT_EQ(merge(a, b).pairs().size(), 1u);
}

TEST(SameBuild, RefusesAnotherProgram) {
  CoverData a = example::queue(), b = example::queue();
  EXPECT_TRUE(check_same_build(a, "a.cover", b, "b.cover"));
  b.build.hash = 5;
  const auto refused = check_same_build(a, "a.cover", b, "b.cover");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(refused.error().message,
            "'a.cover' and 'b.cover' are of different builds of queue_test: measure both with the "
            "same build, or keep them in two files");
  b.build.program = "/home/u/stack_test";
  EXPECT_EQ(check_same_build(a, "a.cover", b, "b.cover").error().message,
            "'a.cover' is of the program queue_test and 'b.cover' of stack_test: keep them in two "
            "files");
}

TEST(SameBuild, RefusesAnotherLibrary) {
  CoverData a = example::queue(), b = example::queue();
  a.add_module("/usr/lib/libq.so", 1, true);
  b.add_module("/opt/libq.so", 2, true);
  const auto refused = check_same_build(a, "a", b, "b");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("different builds of libq.so"));
}

TEST(SameBuild, RefusesWhatIsCountedInAnotherWay) {
  CoverData a = example::queue(), b = example::queue();
  b.build.context = 2;
  b.build.ignored = {"assert"};
  const auto refused = check_same_build(a, "a", b, "b");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("--context 2 --ignore assert"));
}

}  // namespace
}  // namespace snag::coverage
