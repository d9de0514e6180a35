#include "tool/coverage/data/metric.h"

#include <gtest/gtest.h>

#include <set>

namespace snag::coverage {
namespace {

TEST(Metrics, RowsAreInTheOrderOfTheEnum) {
  ASSERT_EQ(std::size(kMetricRows), kMetricCount);
  for (std::size_t i = 0; i < kMetricCount; ++i)
    EXPECT_EQ(static_cast<std::size_t>(kMetricRows[i].metric), i) << kMetricRows[i].word;
}

TEST(Metrics, WordsAreDistinctAndParsed) {
  std::set<std::string_view> words, names;
  for (const MetricRow& row : kMetricRows) {
    EXPECT_TRUE(words.insert(row.word).second) << row.word;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(parse_metric(row.word), row.metric);
    EXPECT_EQ(parse_metrics(row.word).value(), metric_bit(row.metric));
  }
  EXPECT_EQ(parse_metric("all"), std::nullopt);
  EXPECT_EQ(parse_metric(""), std::nullopt);
}

// Files and the protocol between the tool and the runtime have these numbers and words.
TEST(Metrics, NumbersAndWordsAreStable) {
  EXPECT_EQ(short_names(kAllMetrics), "lp,du,mp,cmp,lines,sync");
  EXPECT_EQ(metric_bit(Metric::kLocationPairs), 1u);
  EXPECT_EQ(metric_bit(Metric::kSync), 32u);
}

TEST(Metrics, ListsOfWordsAreParsed) {
  EXPECT_EQ(parse_metrics("lp,lines").value(),
            metric_bit(Metric::kLocationPairs) | metric_bit(Metric::kLines));
  EXPECT_EQ(parse_metrics("all").value(), kAllMetrics);
  for (const char* wrong : {"", "lp,", ",lp", "lp;du", "LP", "pairs"}) {
    const auto parsed = parse_metrics(wrong);
    ASSERT_FALSE(parsed) << wrong;
    EXPECT_NE(parsed.error().message.find(SNAG_METRIC_WORDS), std::string::npos) << wrong;
  }
}

TEST(Metrics, OnlyPairsOfFunctionsHaveATextOfTheirOwn) {
  for (const MetricRow& row : kMetricRows) {
    const bool of_functions = row.has(kOfPairs) && !row.has(kOfAccesses);
    EXPECT_EQ(!row.pair_text.empty(), of_functions) << row.word;
  }
}

TEST(Metrics, TraitsOfTheMetrics) {
  EXPECT_TRUE(has_pairs(Metric::kLocationPairs));
  EXPECT_FALSE(has_pairs(Metric::kLines));
  EXPECT_FALSE(has_pairs(Metric::kSync));
  EXPECT_TRUE(is_ordered(Metric::kMethodPairs));
  EXPECT_FALSE(is_ordered(Metric::kConcurrentMethods));
}

}  // namespace
}  // namespace snag::coverage
