#include "tool/gen/build/compile_errors.h"

#include <gtest/gtest.h>

namespace snag::gen {
namespace {

TEST(CompileErrors, GccNamesTheLineItself) {
  const auto errors = parse_compiler_output(
      "/tmp/x/driver.cc: In lambda function:\n"
      "/tmp/x/driver.cc:12:34: error: 'zebra' was not declared in this scope\n"
      "   12 |   zebra\n",
      "driver.cc");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].line, 12u);
  EXPECT_EQ(errors[0].text, "'zebra' was not declared in this scope");
  EXPECT_TRUE(errors[0].is_direct);
}

TEST(CompileErrors, GccLeadsFromTheTemplateToTheLine) {
  const auto errors = parse_compiler_output(
      "In file included from driver.cc:2:\n"
      "q.h: In instantiation of 'void Q<T>::f(U) [with U = int]':\n"
      "driver.cc:40:10:   required from here\n"
      "q.h:7:3: error: no match\n"
      "q.h: In instantiation of 'void Q<T>::g(U) [with U = int]':\n"
      "q.h:9:3:   required from 'void Q<T>::h(U)'\n"
      "driver.cc:50:10:   required from here\n"
      "q.h:8:3: error: other\n",
      "driver.cc");
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].line, 40u);
  EXPECT_FALSE(errors[0].is_direct);
  EXPECT_EQ(errors[1].line, 50u);
}

TEST(CompileErrors, ClangLeadsThereBehindTheError) {
  const auto errors = parse_compiler_output(
      "q.h:7:3: error: no match\n"
      "q.h:9:3: note: in instantiation of member function 'Q<int>::g' requested here\n"
      "driver.cc:40:10: note: in instantiation of member function 'Q<int>::f' requested here\n",
      "driver.cc");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].line, 40u);
}

TEST(CompileErrors, TheLinkerNamesTheLine) {
  const auto errors = parse_compiler_output(
      "/usr/bin/ld: /tmp/a/0-driver.o: in function `operator()':\n"
      "/tmp/x/driver.cc:61: undefined reference to `bad::Undefined::undefined()'\n",
      "driver.cc");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].line, 61u);
  EXPECT_EQ(readable_reason(errors[0], false),
            "it is declared but not linked (undefined reference to `bad::Undefined::undefined()'): "
            "give its source or library after --");
}

TEST(CompileErrors, TheTypeThatCannotBeMadeIsNamed) {
  const auto errors = parse_check(
      R"([{"line": 5, "text": "static assertion failed: no way to make an argument of type",)"
      R"( "in_main": false,)"
      R"( "notes": "in instantiation of template class 'snag_gen::Maker<std::pair<A, B>>' requested"}])");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].unmade, "std::pair<A, B>");
  EXPECT_FALSE(errors[0].is_direct);
  EXPECT_EQ(readable_reason(errors[0], false),
            "no way to make an argument of type 'std::pair<A, B>'; --arg-pool can give values");
}

TEST(CompileErrors, ATypeThatIsOnlyDeclaredIsNamed) {
  for (const char* text : {"'typeid' of incomplete type 'Unknown'",
                           "member access into incomplete type 'const Unknown'",
                           "invalid application of 'sizeof' to an incomplete type 'Unknown'",
                           "invalid use of incomplete type 'class Unknown'",
                           "invalid use of incomplete type \u2018const struct Unknown\u2019",
                           "calling 'get' with incomplete return type 'Unknown'"}) {
    EXPECT_EQ(readable_reason({1, text, "", true}, false),
              "Unknown is only declared: name its header")
        << text;
  }
}

TEST(CompileErrors, ACheckThatFailedIsAnErrorToo) {
  EXPECT_EQ(parse_check("").size(), 1u);
  EXPECT_TRUE(parse_check("[]").empty());
}

}  // namespace
}  // namespace snag::gen
