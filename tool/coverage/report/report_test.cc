// Every report is compared with an approved text under tests/baselines/coverage. After a change
// that is meant, scripts/approve writes them anew; the diff is then part of the review.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/baselines/approved.h"
#include "tool/coverage/data/coverage_example_for_test.h"
#include "tool/coverage/report/curve.h"
#include "tool/coverage/report/diff.h"
#include "tool/coverage/report/report_text.h"

namespace snag::coverage {
namespace {

using testing::HasSubstr;

constexpr const char* kPruneText =
    "lp: update at queue_test.cc:8 in main() then update at queue_test.cc:8 in main()\n"
    "    the first is made before the second thread is started\n"
    "lp: read at q.h:31 in Queue::size() then write at q.h:52 in Queue::push()\n"
    "    wrong: this one was covered\n"
    "lp: read at q.h:77 in Queue::gone() then write at q.h:52 in Queue::push()\n"
    "    the function is gone\n";

void expect_approved(const std::string& name, const std::string& text) {
  snag::expect_approved("coverage/" + name, text);
}

// All that reports are made of.
struct Example {
  explicit Example(CoverData from, std::string_view prune_text = "") : data(std::move(from)) {
    prune = *PruneList::parse(prune_text, "snag.prune");
    pruned = find_pruned(prune, data, wording);
    totals = count_totals(data, pruned, wording);
  }
  ReportInput input() const { return {data, wording, prune, pruned, totals}; }

  CoverData data;
  Wording wording{data};
  PruneList prune;
  Pruned pruned;
  Totals totals;
};

TEST(CoverReport, Summary) {
  expect_approved("summary.txt", summary_text(Example(example::queue()).input()));
}
TEST(CoverReport, SummaryWithPrunedPairs) {
  expect_approved("summary-pruned.txt",
                  summary_text(Example(example::queue(), kPruneText).input()));
}
TEST(CoverReport, SummaryWithSeveralWrongEntries) {
  const std::string reason = "\n    wrong\n";
  const std::string text = summary_text(
      Example(example::queue(), "lp: * at *:* in * then write at q.h:52 in *" + reason +
                                    "lp: * at q.h:1 in * then * at *:* in *" + reason +
                                    "lp: * at q.h:2 in * then * at *:* in *" + reason)
          .input());
  EXPECT_THAT(text,
              HasSubstr("2 pairs were covered although the prune file says that they cannot"));
  EXPECT_THAT(text, HasSubstr("2 entries of the prune file fit nothing here"));
}
TEST(CoverReport, Pairs) {
  const Example example(example::queue());
  expect_approved("pairs.txt", lists_text(example.input(), Which::kUncovered) +
                                   lists_text(example.input(), Which::kCovered));
}
TEST(CoverReport, Json) {
  expect_approved("report-json.txt",
                  report_json(Example(example::queue(), kPruneText).input(), {true, true}));
}
TEST(CoverReport, Lcov) {
  expect_approved("report-lcov.txt", report_lcov(Example(example::queue(), kPruneText).input()));
}
TEST(CoverReport, Curves) {
  const CoverData data = example::queue();
  std::string text;
  for (const CurveBy by : {CurveBy::kTime, CurveBy::kCalls, CurveBy::kRuns})
    text += curve_csv(make_curves(data, by, kAllMetrics), by) + "\n";
  expect_approved("curve.csv.txt", text);
  expect_approved("curve.svg",
                  curve_svg(make_curves(data, CurveBy::kTime, kAllMetrics), CurveBy::kTime, "a<b"));
}
TEST(CoverReport, Difference) {
  const CoverData before = example::queue();
  CoverData after = example::queue();
  Pair found = after.pairs()[1];
  found.state |= kPairCovered;
  found.moment = {0, 5, 5, 0};
  after.add_pair(found);
  for (LocationId id = 0; id < after.locations().size(); ++id) {
    const Location& location = after.locations()[id];
    if (location.seen == 0) after.see(id, kSeenWrite, found.moment);
    if (location.kind == LocationKind::kLock) after.see(id, kSeenBlocking, found.moment);
  }
  expect_approved("diff.txt", diff_text(diff(before, after), kAllMetrics) +
                                  diff_text(diff(after, before), kAllMetrics) +
                                  diff_text(diff(before, before), kAllMetrics) +
                                  diff_json(diff(before, after), kAllMetrics));
}

TEST(CoverReport, DifferenceOfOtherBuildsIgnoresColumns) {
  const CoverData before = example::queue();
  CoverData after = example::queue();
  after.build.hash = 99;
  const Diff other = diff(before, after);
  EXPECT_TRUE(other.by_readable_place);
  EXPECT_THAT(diff_text(other, kAllMetrics), HasSubstr("no difference"));
}

// The files of another build may lie elsewhere, and the other one come first then.
TEST(CoverReport, DifferenceDoesNotOrderConcurrentMethods) {
  const auto data_with = [](const std::string& f_folder, const std::string& g_folder) {
    CoverData data;
    const LocationId f = data.add_location(
        example::location(data, LocationKind::kEntry, f_folder + "/f.cc", 1, 1, "F", 1));
    const LocationId g = data.add_location(
        example::location(data, LocationKind::kEntry, g_folder + "/g.cc", 1, 1, "G", 1));
    data.add_pair({Metric::kConcurrentMethods, f, g, kPairCovered, 0, {}});
    return data;
  };
  const CoverData before = data_with("/a", "/b");
  CoverData after = data_with("/b", "/a");
  after.build.hash = 99;
  EXPECT_THAT(diff_text(diff(before, after), kAllMetrics), HasSubstr("no difference"));
}

TEST(CoverReport, AnnotatesSource) {
  CoverData data = example::queue();
  const LocationId here =
      data.add_location(example::location(data, LocationKind::kRead, __FILE__, 3, 1, "f", 1));
  data.see(here, kSeenRead, {0, 1, 1, 0});
  data.add_pair({Metric::kLocationPairs, here, here, kPairTarget, 0, {}});
  const std::string text = annotated_text(Example(std::move(data)).input());
  EXPECT_THAT(text, HasSubstr("in the line was executed, -: none was;"));
  EXPECT_THAT(text, HasSubstr("x 0/1         3 | #include <gmock/gmock.h>\n"));
  EXPECT_THAT(text, HasSubstr("! not yet: read at report_test.cc:3, then read at "
                              "report_test.cc:3 in f()"));
  EXPECT_THAT(text, HasSubstr("/home/u/q.h\n  (the source cannot be read)"));
}

TEST(Wording, FilesOfTheSameNameAreToldApart) {
  CoverData data;
  const auto add = [&](const std::string& file) {
    return data.add_location(example::location(data, LocationKind::kRead, file, 1, 1, "f", 1));
  };
  const LocationId a = add("/p/a/q.h"), b = add("/p/b/q.h"), c = add("/p/r.h");
  const Wording wording(data);
  EXPECT_EQ(wording.location(a), "a/q.h:1 in f()");
  EXPECT_EQ(wording.location(b), "b/q.h:1 in f()");
  EXPECT_EQ(wording.location(c), "r.h:1 in f()");
}

// Not by the nearest place where it was inlined, which may be the same in a library.
TEST(Wording, InlinedCodeIsToldApartByWhereItDiffers) {
  CoverData data;
  const auto add = [&](int line, const std::vector<int>& inlined_at) {
    Location location = example::location(data, LocationKind::kRead, "/p/q.h", line, 1, "f", line);
    for (const int outer : inlined_at)
      location.frames.push_back({data.text_id("/p/main.cc"), data.text_id("g"), outer, 1, 1});
    return data.add_location(location);
  };
  const LocationId a = add(1, {101, 14}), b = add(1, {101, 15}), alone = add(2, {101, 14});
  const Wording wording(data);
  EXPECT_EQ(wording.location(a), "q.h:1 in f() inlined at main.cc:14");
  EXPECT_EQ(wording.location(b), "q.h:1 in f() inlined at main.cc:15");
  EXPECT_EQ(wording.location(alone), "q.h:2 in f()");
}

TEST(Wording, PercentagesDoNotLie) {
  EXPECT_EQ(percent_text(9'999, 10'000), "99.9 %");
  EXPECT_EQ(percent_text(1, 10'000), "0.1 %");
  EXPECT_EQ(percent_text(10, 10), "100.0 %");
  EXPECT_EQ(percent_text(0, 10), "0.0 %");
  EXPECT_EQ(percent_text(0, 0), "-");
}

TEST(Wording, WhatIsLessLooksLess) {
  EXPECT_EQ(percent_text_below(20, 27, 90), "74.1 %");
  EXPECT_EQ(percent_text_below(20, 27, 74.1), "74.07 %");
  EXPECT_EQ(percent_text_below(20, 27, 74.0741), "74.07 %");
  EXPECT_EQ(percent_text_below(20, 27, 74.07408), "74.07 %");
  EXPECT_EQ(percent_text_below(2, 3, 66.67), "66.667 %");
  EXPECT_EQ(percent_text_below(1, 10'000, 0.05), "0.01 %");
  EXPECT_EQ(percent_text_below(9'999, 10'000, 100), "99.9 %");
}

}  // namespace
}  // namespace snag::coverage
