// The messages about a bad schedule, word for word: tests/baselines/schedule/<name>.txt.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "schedule/language/feasible.h"
#include "schedule/language/parser.h"
#include "tests/baselines/approved.h"

namespace snag::schedule {
namespace {

struct Bad {
  const char* name;
  const char* text;
};

// The program marks a, b, c, d, queue.put, startingTake1, startingTake2, finishedAdd1.
const std::vector<std::string> kMarked = {
    "a", "b", "c", "d", "queue::put", "startingTake1", "startingTake2", "finishedAdd1"};

constexpr Bad kBad[] = {
    // Syntax.
    {"no-arrow", "a"},
    {"no-arrow-before-comma", "a, b -> c"},
    {"nothing-on-the-left", "-> b"},
    {"nothing-on-the-right", "a ->"},
    {"two-commas", "a -> b,, c -> d"},
    {"no-comma", "a -> b c -> d"},
    {"semicolon", "a -> b; c -> d"},
    {"one-ampersand", "a & b -> c"},
    {"word-and", "a and b -> c"},
    {"nothing-behind-and", "a && -> b"},
    {"double-arrow", "a => b"},
    {"backward-arrow", "a <- b"},
    {"condition-on-the-right", "a -> b && c"},
    {"alternatives-on-the-right", "a -> b || c"},
    {"block-on-the-right", "a -> [b]"},
    {"negation-on-the-right", "a -> !b"},
    {"open-parenthesis", "(a || b -> c"},
    {"closing-parenthesis", "a || b) -> c"},
    {"open-bracket", "[a -> b"},
    {"empty-brackets", "[] -> b"},
    {"two-in-brackets", "[a && b] -> c"},
    {"no-thread", "a@ -> b"},
    {"qualified-thread", "a@pool.worker -> b"},
    {"two-threads", "[a@main]@adder -> b"},
    {"occurrence-zero", "a#0 -> b"},
    {"occurrence-negative", "a#-1 -> b"},
    {"occurrence-huge", "a#99999999999 -> b"},
    {"occurrence-word", "a#first -> b"},
    {"occurrence-before-thread", "a#2@main -> b"},
    {"occurrence-behind-brackets", "[a]#2 -> b"},
    {"every-on-the-left", "a#* -> b"},
    {"every-in-a-chain", "a -> b#* -> c"},
    {"start-twice", "start@adder#2 -> b"},
    {"blocked-after-the-end", "[end@adder] -> b"},
    {"quotes", "\"a\" -> b"},
    {"unfinished-name", "queue. -> b"},
    {"digit-first", "1st -> b"},
    {"unknown-character", "a -> $b"},
    {"control-character", "a -> \x01"},
    {"second-line", "a -> b,\n  c -> (d),\n  d -> a"},
    {"accents", "größe -> ünd && c"},
    {"long-line",
     "a -> b, a -> c, a -> d, b -> c, b -> d, c -> d, a && b -> c, a && b && c -> d, "
     "a || b ->, a && b && c && a && b -> d, a -> b"},
    // Names.
    {"misspelt", "finishedAdd1 -> startngTake1"},
    {"wrong-case", "finishedadd1 -> startingTake1"},
    {"unqualified", "[put] -> a"},
    {"several-near", "startingTake3 -> a"},
    {"nothing-near", "a -> somethingElse"},
    {"start-without-thread", "start -> a"},
    // What cannot be met.
    {"cycle-of-itself", "a -> a"},
    {"cycle-of-two", "a -> b, b -> a"},
    {"cycle-of-many", "d -> a, a -> b, b && c -> d"},
    {"cycle-in-a-chain", "c -> a -> b -> a"},
    {"cycle-by-negation", "a -> b, !a && c -> b"},
    {"cycle-by-block", "[a] -> b, b -> a"},
    {"both-before-each-other", "!a -> b, !b -> a"},
    {"occurrences-backward", "a#3 -> a#2"},
    {"every-waits-for-itself", "a -> a#*"},
    {"thread-is-an-occurrence", "a@main -> a"},
    {"event-before-start", "a@adder -> start@adder"},
    {"event-after-end", "end@adder -> a@adder"},
    {"blocked-thread-acts", "[a@adder] -> b@adder"},
    {"blocked-thread-acts-anyway", "[a@adder] || [b@adder] -> c@adder"},
    {"blocked-and-not", "[a] && ![a] -> b"},
    {"blocked-and-ended", "[a@adder] && end@adder -> b"},
    {"alternatives-wait", "a || c -> b, b -> a, b -> c"},
    {"start-of-main", "a -> start@main"},
    {"end-of-main", "end@main -> a"},
};

std::string message_for(const char* text) {
  const auto parsed = parse(text);
  if (const auto* error = std::get_if<ParseError>(&parsed)) return message_with_caret(text, *error);
  const auto fault = check(std::get<Schedule>(parsed), kMarked);
  return fault ? message_with_caret(text, *fault) : "nothing is wrong with this schedule";
}

TEST(BadSchedules, AreToldAsApproved) {
  for (const Bad& bad : kBad)
    expect_approved(std::string("schedule/") + bad.name + ".txt", message_for(bad.text) + "\n");
}

TEST(BadSchedules, EachApprovedTextIsOfOne) {
  std::set<std::string> names;
  for (const Bad& bad : kBad) EXPECT_TRUE(names.insert(std::string(bad.name) + ".txt").second);
  const auto folder = std::filesystem::path(SNAG_SOURCE_DIR) / "tests/baselines/schedule";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    EXPECT_EQ(names.count(entry.path().filename()), 1u) << entry.path();
}

}  // namespace
}  // namespace snag::schedule
