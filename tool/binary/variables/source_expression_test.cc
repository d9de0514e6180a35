#include "tool/binary/variables/source_expression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace snag::binary {
namespace {

// The expression at the '@' of a line, which is taken out.
SourceExpression at(std::string line) {
  const std::size_t mark = line.find('@');
  line.erase(mark, 1);
  return accessed_expression(line, static_cast<int>(mark) + 1);
}
std::string text_at(const std::string& line) { return at(line).text(); }

TEST(SourceExpression, NamesAndMembers) {
  EXPECT_EQ(text_at("  return @count_;"), "count_");
  EXPECT_EQ(text_at("int y = q->@count_ + counter;"), "q->count_");
  EXPECT_EQ(text_at("  this->@count_ += 2;"), "this->count_");
  EXPECT_EQ(text_at("f(ns::config.limits.@max);"), "ns::config.limits.max");
  EXPECT_EQ(text_at("f(@ns::total);"), "ns::total");
  EXPECT_EQ(text_at("f(::@total);"), "::total");
  EXPECT_EQ(text_at("if (@q->get())"), "q");
  EXPECT_EQ(text_at("q -> @x = 1"), "q->x");
  EXPECT_EQ(text_at("(*p).@x"), "(*p).x");
  EXPECT_EQ(text_at("y = *@p;"), "p");
}

TEST(SourceExpression, OperatorsSayWhatStandsBesideThem) {
  EXPECT_EQ(text_at("  q->count_ @= 5;"), "q->count_");
  EXPECT_EQ(text_at("  this->count_ @+= 2;"), "this->count_");
  EXPECT_EQ(text_at("  count_@++;"), "count_");
  EXPECT_EQ(text_at("  @++count_;"), "count_");
  EXPECT_EQ(text_at("  @++q->base_;"), "q->base_");
  EXPECT_EQ(text_at("  @--*p;"), "*p");
  EXPECT_EQ(text_at("  *p @= 7;"), "*p");
  EXPECT_EQ(text_at("  int* p @= x;"), "p");
  EXPECT_EQ(text_at("  bits @<<= 1;"), "bits");
  EXPECT_EQ(text_at("  x = @*p;"), "*p");
  EXPECT_EQ(text_at("  q@->x"), "q->x");
  EXPECT_EQ(text_at("  (*p)@++;"), "*p");
}

TEST(SourceExpression, CastsToPointers) {
  EXPECT_EQ(text_at("  x = @*(int*)arg;"), "*arg");
  EXPECT_EQ(text_at("  x = @*(struct task *) arg;"), "*arg");
  EXPECT_EQ(text_at("  ((Task*)arg)->@count = 1;"), "arg->count");
  EXPECT_EQ(text_at("  *(int*)arg @= 1;"), "*arg");
  EXPECT_EQ(text_at("  if (x) y @= 1;"), "y");
  EXPECT_EQ(text_at("  x = @*(a * b);"), "");
  EXPECT_EQ(text_at("  x = @(*p)"), "");
}

// Neither "c->x" nor "p->x" is meant.
TEST(SourceExpression, WhatIsInParenthesesHasToBeOneExpression) {
  EXPECT_EQ(text_at("  y = (c ? p : q)->@x;"), "");
  EXPECT_EQ(text_at("  y = (p + 1)->@x;"), "");
  EXPECT_EQ(text_at("  y = (p)->@x;"), "p->x");
  EXPECT_EQ(text_at("  y = ( *p ).@x;"), "(*p).x");
}

TEST(SourceExpression, Elements) {
  EXPECT_EQ(text_at("  buffer[i] @= 3;"), "buffer[i]");
  EXPECT_EQ(text_at("  ns::config.arr[i@]++;"), "ns::config.arr[i]");
  EXPECT_EQ(text_at("  a[b[1]][f(2)] @= 3;"), "a[b[1]][f(2)]");
  EXPECT_EQ(text_at("  q->items[i].@x"), "q->items[i].x");
}

TEST(SourceExpression, RangesOfLoops) {
  EXPECT_TRUE(at("for (int x @: v) s += x;").is_range);
  EXPECT_EQ(text_at("for (int x @: q->items) s += x;"), "q->items");
  EXPECT_TRUE(at("for (int x : @v) s += x;").is_range);
  EXPECT_FALSE(at("y = c ? a : @v;").is_range);
  EXPECT_EQ(text_at("y = c ? a @: v;"), "");
}

TEST(SourceExpression, CallsAreMadeOnSomething) {
  EXPECT_EQ(text_at("  flag.@store(true);"), "flag");
  EXPECT_EQ(text_at("  flag.store@(true);"), "flag");
  EXPECT_TRUE(at("  q->items.push_back@(1);").is_called);
  EXPECT_EQ(text_at("  q->items.push_back@(1);"), "q->items");
  EXPECT_EQ(text_at("  q->@pop();"), "*q");
  EXPECT_EQ(text_at("  f@(x);"), "");
  EXPECT_EQ(text_at("  @f(x);"), "");
}

TEST(SourceExpression, WhatIsComparedWithALiteral) {
  EXPECT_EQ(text_at("  if (balance @== 200) {"), "balance");
  EXPECT_EQ(text_at("  if (200 @== balance) {"), "balance");
  EXPECT_EQ(text_at("  if (q->head @!= nullptr) {"), "q->head");
  EXPECT_EQ(text_at("  while (@!ready) {}"), "ready");
  EXPECT_EQ(text_at("  if (a @< b) {"), "");
}

TEST(SourceExpression, LooksIntoMacros) {
  EXPECT_EQ(text_at("  @assert(!job.done);"), "job.done");
  EXPECT_EQ(text_at("  @assert(q->count_ == 3);"), "q->count_");
  EXPECT_EQ(text_at("  @EXPECT_EQ(sold, 1);"), "sold");
  EXPECT_EQ(text_at("  @assert(items.empty());"), "items");
  EXPECT_TRUE(at("  @assert(items.empty());").is_called);
  EXPECT_EQ(text_at("  @assert(a == b);"), "") << "either";
  EXPECT_EQ(text_at("  @assert(a + b == 3);"), "") << "either";
  EXPECT_EQ(text_at("  @assert(Get()->x == 3);"), "");
  EXPECT_EQ(text_at("  @EXPECT_EQ(left, right);"), "") << "either";
  EXPECT_EQ(text_at("  @ASSERT_TRUE(done, \"not yet\");"), "done");
}

TEST(SourceExpression, EverythingElseIsNotUnderstood) {
  EXPECT_EQ(text_at("  x = a @* b;"), "");
  EXPECT_EQ(text_at("  @return x;"), "");
  EXPECT_EQ(text_at("  x = y @== z;"), "");
  EXPECT_EQ(text_at("  std::thread t(@[&] { done = true; });"), "");
  EXPECT_EQ(text_at("  get()->@x"), "");
  EXPECT_EQ(text_at("  @7"), "");
  EXPECT_EQ(text_at("@"), "");
  EXPECT_EQ(accessed_expression("x", 0).text(), "");
  EXPECT_EQ(accessed_expression("x", 99).text(), "");
  EXPECT_EQ(accessed_expression("x", -1).text(), "");
}

TEST(SourceExpression, NoColumnOfNoLineDoesHarm) {
  const std::string line = "A(!b==1)a[(]*)->.::--x+=[[b(]]c)=*->.(*)*&d::++:for(:x";
  for (std::size_t begin = 0; begin < line.size(); ++begin) {
    for (std::size_t size = 0; begin + size <= line.size(); ++size) {
      const std::string piece = line.substr(begin, size);
      for (int column = 0; column <= static_cast<int>(size) + 1; ++column) {
        EXPECT_LE(accessed_expression(piece, column).parts.size(), size);
      }
    }
  }
}

}  // namespace
}  // namespace snag::binary
