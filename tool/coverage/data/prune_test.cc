#include "tool/coverage/data/prune.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/coverage/data/coverage_example_for_test.h"

namespace snag::coverage {
namespace {

using testing::HasSubstr;

std::string message(std::string_view text) {
  const auto list = PruneList::parse(text, "f");
  return list ? "" : list.error().message;
}

Pruned pruned(const CoverData& data, const std::string& text) {
  const auto list = PruneList::parse(text, "f");
  EXPECT_TRUE(list) << list.error().message;
  return find_pruned(*list, data, Wording(data));
}

TEST(Prune, ReadsPairsAndReasons) {
  const auto list = PruneList::parse(
      "# comment\n\nlp: read at q.h:31 in Queue::size() then write at q.h:52 in Queue::push()\n"
      "    first line\n\tsecond line\n"
      "mp: call at a/b.cc:1 in operator bool() then call at *:* in *\n reason\n",
      "f");
  ASSERT_TRUE(list) << list.error().message;
  ASSERT_EQ(list->entries.size(), 2u);
  EXPECT_EQ(list->entries[0].reason, "first line second line");
  EXPECT_EQ(list->entries[0].line, 3);
  EXPECT_EQ(list->entries[0].first.action, "read");
  EXPECT_EQ(list->entries[0].first.line, 31);
  EXPECT_EQ(list->entries[1].first.function, "operator bool()");
  EXPECT_EQ(list->entries[1].second.line, 0);
  const auto again = PruneList::parse(list->text(), "f");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->text(), list->text());
}

TEST(Prune, SaysWhatIsWrong) {
  const std::string pair = "lp: read at q.h:31 in f() then write at q.h:52 in g()\n";
  EXPECT_THAT(message(pair), HasSubstr("f:1: there is no reason"));
  EXPECT_THAT(message(pair + pair + " x\n"), HasSubstr("f:1: there is no reason"));
  EXPECT_THAT(message(" x\n"), HasSubstr("f:1: a reason, but no pair"));
  EXPECT_THAT(message("xy: read at q.h:31 in f() then write at q.h:52 in g()\n"),
              HasSubstr("or begins with its metric"));
  EXPECT_THAT(message("lines: read at q.h:31 in f() then write at q.h:52 in g()\n"),
              HasSubstr("or begins with its metric"));
  EXPECT_THAT(message("lp: read at q.h:31 in f()\n"), HasSubstr("no ' then '"));
  EXPECT_THAT(message("lp: read at q.h in f() then write at q.h:52 in g()\n"),
              HasSubstr("is not a place"));
  EXPECT_THAT(message("lp: read at q.h:x in f() then write at q.h:52 in g()\n"),
              HasSubstr("is not a place"));
  EXPECT_THAT(message(std::string("lp: \x01\n")), HasSubstr("do not print"));
}

TEST(Prune, FindsPairsAsReportsShowThem) {
  const CoverData data = example::queue();
  const Wording wording(data);
  for (std::size_t i = 0; i < data.pairs().size(); ++i) {
    const Pair& pair = data.pairs()[i];
    const std::string form = pruned_form(pair, data, wording).text();
    EXPECT_TRUE(pruned(data, form + "\n because\n").is_pruned(i)) << form;
    if (pair.metric != Metric::kLocationPairs) continue;
    const auto copied = parse_pruned_pair(wording.pair(pair));
    ASSERT_TRUE(copied) << wording.pair(pair) << ": " << copied.error().message;
    EXPECT_EQ(copied->text(), form);
  }
}

TEST(Prune, FitsWhatItSaysAndNothingElse) {
  const CoverData data = example::queue();
  const auto count = [&](const std::string& text) {
    const Pruned found = pruned(data, text + "\n because\n");
    return std::count_if(found.entry_of.begin(), found.entry_of.end(),
                         [](std::uint32_t entry) { return entry != Pruned::kNot; });
  };
  EXPECT_EQ(count("lp: read at q.h:31 in Queue::size() then write at q.h:52 in Queue::push()"), 1);
  EXPECT_EQ(count("lp: read at u/q.h:31 in Queue::size() then write at q.h:52 in Queue::push()"),
            1);
  EXPECT_EQ(count("lp: read at x/q.h:31 in Queue::size() then write at q.h:52 in Queue::push()"),
            0);
  EXPECT_EQ(count("lp: read at xq.h:31 in Queue::size() then write at q.h:52 in Queue::push()"), 0);
  EXPECT_EQ(count("lp: write at q.h:31 in Queue::size() then write at q.h:52 in Queue::push()"), 0);
  EXPECT_EQ(count("lp: write at q.h:* in * then * at *:* in *"), 2);
  EXPECT_EQ(count("lp: * at *:* in * then * at *:* in *"), 4);
  EXPECT_EQ(count("du: * at *:* in * then * at *:* in *"), 1);
  const std::string size = "call at q.h:30 in Queue::size()",
                    push = "call at q.h:50 in Queue::push()";
  EXPECT_EQ(count("mp: " + size + " then " + push), 1);
  EXPECT_EQ(count("mp: " + push + " then " + size), 0);
  EXPECT_EQ(count("cmp: " + size + " then " + push), 1);
  EXPECT_EQ(count("cmp: " + push + " then " + size), 1);
}

TEST(Prune, KnowsEntriesThatFitNothing) {
  const Pruned found =
      pruned(example::queue(), "lp: read at q.h:99 in f() then write at q.h:52 in g()\n because\n");
  EXPECT_FALSE(found.is_used[0]);
}

// Pairs of places that differ in their columns alone are one in the file.
TEST(Prune, ProposesWhatHoldsForAllPairsOnce) {
  CoverData data = example::queue();
  const auto read = [&](int column) {
    return data.add_location(
        example::location(data, LocationKind::kRead, "/home/u/q.h", 70, column, "Queue::peek", 69));
  };
  const auto write = data.add_location(
      example::location(data, LocationKind::kWrite, "/home/u/q.h", 80, 1, "Queue::pop", 79));
  const auto add = [&](LocationId first) {
    return data.add_pair(
        {Metric::kLocationPairs, first, write, kPairTarget | kPairSecondWrites, 0, {}});
  };
  const std::uint32_t one = add(read(1)), two = add(read(2));
  const auto texts = [&] {
    const Wording wording(data);
    std::vector<std::string> result;
    for (const PrunedPair& pair : proposals(data, find_pruned({}, data, wording), wording))
      result.push_back(pair.text() + ": " + pair.reason);
    return result;
  };
  EXPECT_EQ(texts().size(), 1u);  // that of the example
  data.propose(one, data.text_id("because"));
  EXPECT_EQ(texts().size(), 1u);  // of the other one nothing is known
  data.propose(two, data.text_id("because of that"));
  EXPECT_THAT(texts(), testing::Contains("lp: read at q.h:70 in Queue::peek() then write at q.h:80 "
                                         "in Queue::pop(): because"));
  EXPECT_EQ(texts().size(), 2u);
  data.propose(two, 0);
  data.propose(two, data.text_id("because"));
  EXPECT_EQ(texts().size(), 1u);  // it was seen that it is not so
}

}  // namespace
}  // namespace snag::coverage
