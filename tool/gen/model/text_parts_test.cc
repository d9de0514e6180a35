#include "tool/gen/model/text_parts.h"

#include <gmock/gmock.h>

namespace snag::gen {
namespace {

using testing::ElementsAre;

TEST(TextParts, TemplateParametersAreWholeWords) {
  EXPECT_EQ(with_template_argument("std::map<P1, P10, P1>&", 1, "int"), "std::map<int, P10, int>&");
  EXPECT_TRUE(names_template_parameter("const P0&", 0));
  EXPECT_FALSE(names_template_parameter("XP0 P01 P0x", 0));
}

TEST(TextParts, NamesAreReplacedAsAWhole) {
  std::string text = "Q Queue a::Q Q::Q<Q>";
  replace_name(text, "Q", "T");
  EXPECT_EQ(text, "T Queue a::Q T::Q<T>");
  text = "const ns::Map<int, int>::accessor& x(ns::Map<int, int>&&)";
  replace_name(text, "ns::Map<int, int>", "T");
  EXPECT_EQ(text, "const T::accessor& x(T&&)");
}

TEST(TextParts, CommasWithinBracketsAndQuotesStay) {
  EXPECT_THAT(split_at_commas(R"( 1, std::pair(1, 2) ,"a,\"b", ',', f<int, int>() )"),
              ElementsAre("1", "std::pair(1, 2)", R"("a,\"b")", "','", "f<int, int>()"));
  EXPECT_THAT(split_at_commas(""), ElementsAre(""));
}

TEST(TextParts, PatternsFitTheWholeText) {
  EXPECT_TRUE(fits_pattern("push*", "push_back(int)"));
  EXPECT_TRUE(fits_pattern("*(int)", "push_back(int)"));
  EXPECT_TRUE(fits_pattern("a?c", "abc"));
  EXPECT_TRUE(fits_pattern("*b*d*", "abcde"));
  EXPECT_FALSE(fits_pattern("push", "push_back"));
  EXPECT_FALSE(fits_pattern("a?c", "ac"));
  EXPECT_TRUE(fits_pattern("*", ""));
}

TEST(TextParts, NamesAreNoExpressions) {
  EXPECT_TRUE(is_plain_name("ns::make_it"));
  EXPECT_FALSE(is_plain_name("make_it()"));
  EXPECT_FALSE(is_plain_name("new Foo"));
  EXPECT_FALSE(is_plain_name(""));
}

TEST(TextParts, LiteralsAreEscaped) { EXPECT_EQ(quoted_literal("a\"b\\c\n"), R"("a\"b\\c\n")"); }

TEST(TextParts, NamesOfClasses) {
  for (const char* name : {"Queue", "ns::Queue<int>", "::Queue<const int*, std::vector<int>>",
                           "class Queue", "Queue<int> ", "constant::Queue"})
    EXPECT_EQ(class_name_problem(name), "") << name;
  EXPECT_EQ(class_name_problem("Queue;"), "leave ';' out");
  EXPECT_EQ(class_name_problem("Queue&"), "leave '&' out");
  EXPECT_EQ(class_name_problem("Queue * "), "leave '*' out");
  EXPECT_THAT(class_name_problem("const Queue"), testing::HasSubstr("leave 'const' out"));
  EXPECT_THAT(class_name_problem("Queue const"), testing::HasSubstr("leave 'const' out"));
  EXPECT_EQ(class_name_problem(" "), "it is empty");
}

}  // namespace
}  // namespace snag::gen
