#include "tool/binary/variables/possible_expressions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace snag::binary {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Those at the '@' of a line, which is taken out.
std::vector<std::string> at(std::string line, AccessKind access) {
  const std::size_t mark = line.find('@');
  line.erase(mark, 1);
  std::vector<std::string> texts;
  for (const auto& found : possible_expressions(line, static_cast<int>(mark) + 1, access))
    texts.push_back(found.text());
  return texts;
}
std::vector<std::string> read_at(const std::string& line) { return at(line, AccessKind::kRead); }
std::vector<std::string> written_at(const std::string& line) {
  return at(line, AccessKind::kWrite);
}

TEST(PossibleExpressions, AReadIsNotOfWhatIsAssigned) {
  EXPECT_THAT(read_at("  out @= cfg;"), ElementsAre("cfg"));
  EXPECT_THAT(read_at("  Small @s2 = sm;"), ElementsAre("sm"));
  EXPECT_THAT(read_at("  out @= p->x;"), ElementsAre("p", "p->x"));
  EXPECT_THAT(read_at("  out @= \"cfg\" + x; // y"), ElementsAre("x"));
  EXPECT_THAT(read_at("  out @= 'c';"), IsEmpty());
  EXPECT_THAT(written_at("  out @= cfg;"), ElementsAre("out"));
  EXPECT_THAT(read_at("  if (out @== 1)"), ElementsAre("out"));
}

TEST(PossibleExpressions, AReadOfACompoundAssignmentIsOfEither) {
  EXPECT_THAT(read_at("  out @+= cfg;"), ElementsAre("out", "cfg"));
  EXPECT_THAT(read_at("  out @+= 1;"), ElementsAre("out"));
  EXPECT_THAT(read_at("  out @+= v[1];"), ElementsAre("out", "v", "v[1]"));
  EXPECT_THAT(written_at("  out @+= cfg;"), ElementsAre("out"));
}

TEST(PossibleExpressions, TheNextLineIsNotKnown) {
  EXPECT_THAT(read_at("  out @= cfg +"), IsEmpty());
  EXPECT_THAT(read_at("  out @="), IsEmpty());
}

TEST(PossibleExpressions, ExpectedValues) {
  const std::string line = "ok = top.@compare_exchange_strong(x.next, &x);";
  EXPECT_THAT(written_at(line), ElementsAre("x.next"));
  EXPECT_THAT(read_at(line), ElementsAre("x.next"));
  EXPECT_THAT(at(line, AccessKind::kOther), ElementsAre("top"));
  EXPECT_THAT(read_at("top.compare_exchange_weak(old, @x)"), ElementsAre("x"));
  EXPECT_THAT(read_at("top.@compare_exchange_weak("), ElementsAre("top"));
}

TEST(PossibleExpressions, StepsOfLoops) {
  const std::string line = "  @for (i = 0; i < q->count; ++i, p = p->next) f(x);";
  EXPECT_THAT(written_at(line), ElementsAre("i", "p"));
  EXPECT_THAT(read_at(line), ElementsAre("i", "q", "q->count", "p", "p->next"));
  EXPECT_THAT(written_at("@for (;;) f(x);"), IsEmpty());
  EXPECT_THAT(written_at("@for (a = f(b, c), d = 1; d; i += 2) {"), ElementsAre("i"));
  EXPECT_THAT(written_at("@for (int x : v) f(x);"), IsEmpty());
  EXPECT_THAT(written_at("@for (int i = 0; i < n;"), IsEmpty());
}

TEST(PossibleExpressions, Arguments) {
  const auto arguments_at = [](std::string line) {
    const std::size_t mark = line.find('@');
    line.erase(mark, 1);
    std::vector<SourceExpression> all;
    add_arguments(all, line, static_cast<int>(mark) + 1);
    std::vector<std::string> texts;
    for (const auto& found : all) texts.push_back(found.text());
    return texts;
  };
  EXPECT_THAT(arguments_at("q->items.@insert(p->key, 1);"), ElementsAre("p", "p->key"));
  EXPECT_THAT(arguments_at("@q->items.insert(p->key, f(x));"), ElementsAre("p", "p->key", "x"));
  EXPECT_THAT(arguments_at("q->items.insert@(*p);"), ElementsAre("*p", "p"));
  EXPECT_THAT(arguments_at("q->items.insert(f(a), b@);"), ElementsAre("a", "b"));
  EXPECT_THAT(arguments_at("items.@clear();"), IsEmpty());
  EXPECT_THAT(arguments_at("items.@insert(a,"), ElementsAre("a"));
  EXPECT_THAT(arguments_at("x @= 1;"), IsEmpty());
}

TEST(PossibleExpressions, Elements) {
  EXPECT_EQ(element_at("v[i] = 1", 1).text(), "v[i]");
  EXPECT_EQ(element_at("v = 1", 1).text(), "");
  EXPECT_EQ(element_at("v[i", 1).text(), "");
}

// Nothing is read beyond the line.
TEST(PossibleExpressions, EveryColumn) {
  const std::string line = "for (a;(;) for(;; a.compare_exchange_weak(,'\\";
  for (int column = -1; column <= static_cast<int>(line.size()) + 2; ++column) {
    for (const AccessKind access : {AccessKind::kRead, AccessKind::kWrite, AccessKind::kOther})
      possible_expressions(line, column, access);
    element_at(line, column);
    std::vector<SourceExpression> arguments;
    add_arguments(arguments, line, column);
  }
}

}  // namespace
}  // namespace snag::binary
