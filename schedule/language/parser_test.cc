#include "schedule/language/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snag::schedule {
namespace {

using testing::HasSubstr;

std::string read(std::string_view text) {
  const auto parsed = parse(text);
  if (const auto* error = std::get_if<ParseError>(&parsed))
    return std::to_string(error->offset) + ": " + error->message;
  return to_string(std::get<Schedule>(parsed));
}

TEST(Parser, ReadsEveryProduction) {
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read(" \t\r\n"), "");
  EXPECT_EQ(read("a->b"), "a -> b");
  EXPECT_EQ(read("a -> b, c -> d,"), "a -> b, c -> d");
  EXPECT_EQ(read("a||b||c->d"), "a || b || c -> d");
  EXPECT_EQ(read("a&&b&&c->d"), "a && b && c -> d");
  EXPECT_EQ(read("!a->b"), "!a -> b");
  EXPECT_EQ(read("!!a->b"), "!!a -> b");
  EXPECT_EQ(read("((a))->b"), "a -> b");
  EXPECT_EQ(read("[a]->b"), "[a] -> b");
  EXPECT_EQ(read("[a]@t->b"), "[a@t] -> b");
  EXPECT_EQ(read("[a@t]->b"), "[a@t] -> b");
  EXPECT_EQ(read("[a@t]@t->b"), "[a@t] -> b");
  EXPECT_EQ(read("[a#2]@t->b"), "[a@t#2] -> b");
  EXPECT_EQ(read("[a#1]->b"), "[a#1] -> b");
  EXPECT_EQ(read("a@t#3 -> b@u#*"), "a@t#3 -> b@u#*");
  EXPECT_EQ(read("start@t -> end@t"), "start@t -> end@t");
  EXPECT_EQ(read("block@t#2 -> unblock@t#*"), "block@t#2 -> unblock@t#*");
  EXPECT_EQ(read("[block]@t -> a, [start@t] -> a"), "[block@t] -> a, [start@t] -> a");
  EXPECT_EQ(read("a::b.c -> d"), "a.b.c -> d");
  EXPECT_EQ(read("a . b\n->\nc @ t # 2"), "a.b -> c@t#2");
  EXPECT_EQ(read("größe -> _x1"), "größe -> _x1");
}

TEST(Parser, ChainsAreOrderings) {
  EXPECT_EQ(read("a -> b -> c"), "a -> b, b -> c");
  EXPECT_EQ(read("[a] && !x -> b@t#2 -> c#*"), "[a] && !x -> b@t#2, b@t#2 -> c#*");
}

TEST(Parser, AndBindsStrongerThanOr) {
  EXPECT_EQ(read("a || b && c -> d"), "a || b && c -> d");
  EXPECT_EQ(read("(a || b) && c -> d"), "(a || b) && c -> d");
  EXPECT_EQ(read("!a && b -> d"), "!a && b -> d");
  EXPECT_EQ(read("!(a && b) -> d"), "!(a && b) -> d");
  EXPECT_EQ(read("a && (b && c) -> d"), "a && b && c -> d");
  const auto schedule = std::get<Schedule>(parse("a || b && c -> d"));
  EXPECT_EQ(schedule.orderings[0].condition.op, Condition::Op::kOr);
  EXPECT_EQ(schedule.orderings[0].condition.parts[1].op, Condition::Op::kAnd);
}

TEST(Parser, KeywordsAreOrdinaryNamesWithoutAThread) {
  EXPECT_EQ(std::get<Schedule>(parse("start -> a")).orderings[0].condition.event.name, "start");
  EXPECT_EQ(std::get<Schedule>(parse("a -> end#2")).orderings[0].event.name, "end");
  EXPECT_EQ(std::get<Schedule>(parse("pool.start@t -> a")).orderings[0].condition.event.kind,
            EventKind::kNamed);
  EXPECT_EQ(std::get<Schedule>(parse("start@t -> a")).orderings[0].condition.event.kind,
            EventKind::kStart);
}

TEST(Parser, KnowsWhereThingsStand) {
  const auto schedule = std::get<Schedule>(parse("a && [b] -> c, d -> e"));
  EXPECT_EQ(schedule.orderings[0].offset, 0u);
  EXPECT_EQ(schedule.orderings[0].condition.parts[1].offset, 5u);
  EXPECT_EQ(schedule.orderings[0].condition.parts[1].event.offset, 6u);
  EXPECT_EQ(schedule.orderings[0].event.offset, 12u);
  EXPECT_EQ(schedule.orderings[1].offset, 15u);
}

TEST(Parser, OverlongAndDeepTextsAreRefused) {
  EXPECT_THAT(read(std::string(kMaxText + 1, ' ')), HasSubstr("longer than"));
  EXPECT_EQ(read(std::string(kMaxText, ' ')), "");
  const auto deep = [](std::size_t depth, std::string_view sign, std::string_view close) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += sign;
    text += "a";
    for (std::size_t i = 0; i < depth; ++i) text += close;
    return read(text + " -> b");
  };
  EXPECT_THAT(deep(kMaxNesting + 1, "(", ")"), HasSubstr("nested more than"));
  EXPECT_THAT(deep(kMaxNesting + 1, "!", ""), HasSubstr("nested more than"));
  EXPECT_EQ(deep(kMaxNesting, "(", ")"), "a -> b");
}

TEST(MessageWithCaret, CountsCharactersAndLines) {
  EXPECT_EQ(message_with_caret("größe x", {8, "no"}), "column 7: no\n  größe x\n        ^");
  EXPECT_EQ(message_with_caret("a\nbc\nd", {3, "no\nmore"}),
            "line 2, column 2: no\n  bc\n   ^\nmore");
  EXPECT_EQ(message_with_caret("", {0, "no"}), "column 1: no\n  \n  ^");
  EXPECT_EQ(message_with_caret("a\tb", {99, "no"}), "column 4: no\n  a b\n     ^");
}

TEST(NormalName, HasDotsAndNoBlanks) {
  EXPECT_EQ(normal_name("a::b :: c"), "a.b.c");
  EXPECT_EQ(normal_name("a . b"), "a.b");
  EXPECT_EQ(normal_name("a"), "a");
}

}  // namespace
}  // namespace snag::schedule
