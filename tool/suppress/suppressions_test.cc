#include "tool/suppress/suppressions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace snag::suppress {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Pattern, MayStandAnywhere) {
  EXPECT_TRUE(matches_pattern("pop", "ns::Queue::pop"));
  EXPECT_TRUE(matches_pattern("Queue", "ns::Queue::pop"));
  EXPECT_FALSE(matches_pattern("push", "ns::Queue::pop"));
  EXPECT_FALSE(matches_pattern("queue", "ns::Queue::pop"));
}

TEST(Pattern, AnchorsTieItToTheEnds) {
  EXPECT_TRUE(matches_pattern("^ns::", "ns::Queue::pop"));
  EXPECT_FALSE(matches_pattern("^Queue", "ns::Queue::pop"));
  EXPECT_TRUE(matches_pattern("pop$", "ns::Queue::pop"));
  EXPECT_FALSE(matches_pattern("Queue$", "ns::Queue::pop"));
  EXPECT_TRUE(matches_pattern("^pop$", "pop"));
  EXPECT_FALSE(matches_pattern("^pop$", "popp"));
  EXPECT_FALSE(matches_pattern("^pop$", "ppop"));
  EXPECT_TRUE(matches_pattern("op$", "op_op")) << "the last one counts, not the first";
}

TEST(Pattern, StarsAreAnyText) {
  EXPECT_TRUE(matches_pattern("^ns::*::pop$", "ns::Queue::pop"));
  EXPECT_TRUE(matches_pattern("^ns::*pop$", "ns::pop"));
  EXPECT_FALSE(matches_pattern("^ns::*::pop$", "ns::pop"));
  EXPECT_TRUE(matches_pattern("a*b*c", "xaxbxcx"));
  EXPECT_FALSE(matches_pattern("a*b*c", "cba"));
  EXPECT_FALSE(matches_pattern("ab*ba$", "aba")) << "pieces do not overlap";
  EXPECT_TRUE(matches_pattern("^*$", "anything"));
  EXPECT_TRUE(matches_pattern("*", "anything"));
  EXPECT_TRUE(matches_pattern("**", "anything"));
  EXPECT_TRUE(matches_pattern("^a*", "ab"));
  EXPECT_FALSE(matches_pattern("^a*", "ba"));
  EXPECT_TRUE(matches_pattern("^*a", "ba")) << "a star behind the anchor frees the pattern";
}

TEST(Pattern, MatchesNoUnknownName) {
  EXPECT_FALSE(matches_pattern("*", ""));
  EXPECT_FALSE(matches_pattern("^$", ""));
}

TEST(SuppressionsFile, HasCommentsAndBlankLines) {
  const auto parsed = Suppressions::parse(
      "# known\n\n  race:Cache::lookup  \r\nrace_top: ^tick$\n\t# more\nmutex:a\nlock:b\n"
      "heap:libold.so\ndeadlock:x:y",
      "f");
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  std::vector<std::string> texts;
  std::vector<int> lines;
  for (const Suppression& entry : parsed->entries()) {
    texts.push_back(entry.text());
    lines.push_back(entry.line);
  }
  EXPECT_THAT(texts, ElementsAre("race:Cache::lookup", "race_top:^tick$", "lock:a", "lock:b",
                                 "heap:libold.so", "deadlock:x:y"));
  EXPECT_THAT(lines, ElementsAre(3, 4, 6, 7, 8, 9));
  EXPECT_THAT(parsed->ignored_kinds(), ElementsAre());
}

TEST(SuppressionsFile, KindsThatMeanNothingHereAreToldOnce) {
  const auto parsed =
      Suppressions::parse("thread:a\ncalled_from_lib:libx.so\nthread:b\nsignal:c\nrace:d\n", "f");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->entries().size(), 1u);
  EXPECT_THAT(parsed->ignored_kinds(), ElementsAre("thread", "called_from_lib", "signal"));
}

std::string error_of(const std::string& text) {
  const auto parsed = Suppressions::parse(text, "my.supp");
  return parsed.has_value() ? "" : parsed.error().message;
}

TEST(SuppressionsFile, ErrorsSayWhereAndWhatToDo) {
  EXPECT_THAT(error_of("\nrase:x\n"), StartsWith("my.supp:2: 'rase' is not a kind"));
  EXPECT_THAT(error_of("Cache"), HasSubstr("my.supp:1: there is no colon; write"));
  EXPECT_THAT(error_of("race:\n"), HasSubstr("the pattern is empty; write '*'"));
  EXPECT_THAT(error_of("race :x\n"), HasSubstr("'race ' is not a kind"));
  EXPECT_THAT(error_of("race:a\x1b[31m"), HasSubstr("do not print"));
  EXPECT_THAT(error_of(std::string("race:a\0b", 8)), HasSubstr("do not print"));
}

TEST(SuppressionsFile, SizesAreBounded) {
  EXPECT_EQ(error_of("race:" + std::string(kMaxPatternLength, 'a')), "");
  EXPECT_THAT(error_of("race:" + std::string(kMaxPatternLength + 1, 'a')), HasSubstr("longer"));
  EXPECT_THAT(error_of(std::string(kMaxSuppressionsBytes + 1, '\n')), HasSubstr("bigger"));
  std::string many;
  for (std::size_t i = 0; i < kMaxSuppressions; ++i) many += "race:a\n";
  EXPECT_EQ(error_of(many), "");
  EXPECT_THAT(error_of(many + "race:a\n"), HasSubstr("more than 10000 suppressions"));
}

TEST(SuppressionsFile, IsRead) {
  char name[] = "/tmp/snag-suppressions-XXXXXX";
  const std::filesystem::path folder = mkdtemp(name);
  const std::string path = folder / "a.supp";
  std::ofstream(path) << "race:a\nheap";
  const auto wrong = Suppressions::read(path);
  std::ofstream(path) << "race:a\n";
  const auto right = Suppressions::read(path);
  const auto missing = Suppressions::read(folder / "b.supp");
  const auto directory = Suppressions::read(folder);
  std::filesystem::remove_all(folder);
  ASSERT_FALSE(wrong.has_value());
  EXPECT_THAT(wrong.error().message, StartsWith(path + ":2: there is no colon"));
  ASSERT_TRUE(right.has_value());
  EXPECT_EQ(right->entries().size(), 1u);
  ASSERT_FALSE(missing.has_value());
  EXPECT_THAT(missing.error().message, HasSubstr("No such file"));
  ASSERT_FALSE(directory.has_value());
  EXPECT_THAT(directory.error().message, HasSubstr("not a regular file"));
}

const std::vector<StackNames> kStacks = {
    {{"ns::Queue::pop", "/src/queue.cc", "/bin/shop"}, {"worker", "/src/main.cc", "/bin/shop"}},
    {{"ns::Queue::push", "/src/queue.cc", "/bin/shop"}, {"", "", "/lib/libold.so"}}};

// The text of the suppression in `file` that keeps the report away, or "".
std::string matched(const std::string& file, SuppressionKind kind = SuppressionKind::kRace,
                    std::string_view variable = "ns::total") {
  auto parsed = Suppressions::parse(file, "f");
  const Suppression* found = parsed.value().match(kind, kStacks, variable);
  return found == nullptr ? "" : found->text();
}

TEST(Match, LooksAtFunctionsFilesModulesAndTheVariable) {
  EXPECT_EQ(matched("race:Queue::push"), "race:Queue::push");
  EXPECT_EQ(matched("race:main.cc$"), "race:main.cc$");
  EXPECT_EQ(matched("race:libold"), "race:libold");
  EXPECT_EQ(matched("race:^ns::total$"), "race:^ns::total$");
  EXPECT_EQ(matched("race:nothing\nrace:worker"), "race:worker");
  EXPECT_EQ(matched("race:nothing"), "");
}

TEST(Match, TopIsTheInnermostFrameOfEitherAccess) {
  EXPECT_EQ(matched("race_top:push"), "race_top:push");
  EXPECT_EQ(matched("race_top:pop"), "race_top:pop");
  EXPECT_EQ(matched("race_top:worker"), "");
  EXPECT_EQ(matched("race_top:ns::total"), "") << "the variable is no frame";
}

TEST(Match, KindsAreKeptApart) {
  EXPECT_EQ(matched("heap:pop\nlock:pop\ndeadlock:pop"), "");
  EXPECT_EQ(matched("race:pop\nheap:pop", SuppressionKind::kHeap), "heap:pop");
  EXPECT_EQ(matched("race_top:pop\nmutex:pop", SuppressionKind::kLock), "lock:pop");
  EXPECT_EQ(matched("deadlock:pop", SuppressionKind::kDeadlock), "deadlock:pop");
}

TEST(Match, IsCounted) {
  auto parsed = Suppressions::parse("race:pop\nrace:worker\nheap:pop", "f").value();
  parsed.match(SuppressionKind::kRace, kStacks, "");
  parsed.match(SuppressionKind::kRace, kStacks, "");
  parsed.match(SuppressionKind::kHeap, kStacks, "");
  EXPECT_EQ(parsed.entries()[0].matches, 2u);
  EXPECT_EQ(parsed.entries()[1].matches, 0u) << "the first that fits is the one that counts";
  EXPECT_EQ(parsed.entries()[2].matches, 1u);
}

TEST(Match, WorksWithoutStacks) {
  auto parsed = Suppressions::parse("race_top:*\nrace:*", "f").value();
  EXPECT_EQ(parsed.match(SuppressionKind::kRace, {}, ""), nullptr);
  const std::vector<StackNames> empty(2);
  EXPECT_EQ(parsed.match(SuppressionKind::kRace, empty, ""), nullptr);
}

}  // namespace
}  // namespace snag::suppress
