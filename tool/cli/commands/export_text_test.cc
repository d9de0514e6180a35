#include "tool/cli/commands/export_text.h"

#include <gmock/gmock.h>

namespace snag::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ExportText, MakesIdentifiers) {
  EXPECT_EQ(identifier("account-assert-1"), "account_assert_1");
  EXPECT_EQ(identifier("9lives"), "snag_9lives");
  EXPECT_EQ(identifier(""), "snag_");
  for (const char* name : {"a", "a_1", "Zz9"}) EXPECT_TRUE(is_identifier(name)) << name;
  for (const char* name : {"", "1a", "_a", "a-b", "a b", "a\n"})
    EXPECT_FALSE(is_identifier(name)) << name;
}

ExportedTest example() {
  ExportedTest test;
  test.name = "lost_deposit";
  test.program = "../build/account";
  test.failure = {FailureKind::kAssert, 0, "assertion `a == 1' failed", 0, "account.cc:12"};
  return test;
}

TEST(ExportText, NamesProgramTraceAndFailure) {
  const std::string text = test_text(example());
  EXPECT_THAT(text, HasSubstr("assert, assertion `a == 1' failed (account.cc:12)\n"));
  EXPECT_THAT(text, HasSubstr("#define LOST_DEPOSIT_PROGRAM \"../build/account\""));
  EXPECT_THAT(text, HasSubstr("TEST(Snag, lost_deposit)"));
  EXPECT_THAT(text, HasSubstr("/lost_deposit.snag"));
  EXPECT_THAT(text, Not(HasSubstr("@")));
  EXPECT_THAT(text, Not(HasSubstr("--stdin")));
}

TEST(ExportText, TakesStandardInputAlong) {
  ExportedTest test = example();
  test.has_stdin = true;
  EXPECT_THAT(test_text(test),
              HasSubstr("--stdin \" + shell_word(folder + \"/lost_deposit.stdin\")"));
}

// What the program said must not become code of the test.
TEST(ExportText, TextOfTheProgramStaysText) {
  ExportedTest test = example();
  test.failure.message = "one\nint two;\\";
  test.program = "../\"quoted\"\\\n";
  const std::string text = test_text(test);
  EXPECT_THAT(text, HasSubstr("assert, one int two;  (account.cc:12)\n"));
  EXPECT_THAT(text, HasSubstr("\"../\\\"quoted\\\"\\\\\\012\""));
}

}  // namespace
}  // namespace snag::cli
