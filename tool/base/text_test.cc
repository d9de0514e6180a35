#include "tool/base/text.h"

#include <gtest/gtest.h>

namespace snag {
namespace {

TEST(Text, BlanksAtBothEndsGo) {
  EXPECT_EQ(trimmed(" \ta b\r\n"), "a b");
  EXPECT_EQ(trimmed("a"), "a");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(Text, TheNameIsWhatComesAfterTheLastSlash) {
  EXPECT_EQ(base_name("src/a/queue.cc"), "queue.cc");
  EXPECT_EQ(base_name("/queue.cc"), "queue.cc");
  EXPECT_EQ(base_name("queue.cc"), "queue.cc");
  EXPECT_EQ(base_name("src/"), "");
  EXPECT_EQ(base_name(""), "");
}

TEST(Text, LinesAreTakenOneByOne) {
  std::string_view text = "one\n\nthree";
  EXPECT_EQ(next_line(text), "one");
  EXPECT_EQ(next_line(text), "");
  EXPECT_EQ(text, "three");
  EXPECT_EQ(next_line(text), "three");
  EXPECT_TRUE(text.empty());
  EXPECT_EQ(next_line(text), "");
  text = "last\n";
  EXPECT_EQ(next_line(text), "last");
  EXPECT_TRUE(text.empty());
}

TEST(Text, ControlCharactersDoNotPrint) {
  EXPECT_TRUE(is_printable("a b \xc3\xa4"));
  EXPECT_FALSE(is_printable("a\tb"));
  EXPECT_FALSE(is_printable("\x7f"));
}

}  // namespace
}  // namespace snag
