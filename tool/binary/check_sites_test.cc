#include "tool/binary/check_sites.h"

#include <gtest/gtest.h>

#include "tool/base/text.h"

namespace snag::binary {
namespace {

TEST(CheckSites, FunctionsThatAreCalledByChecks) {
  EXPECT_EQ(check_called("__assert_fail"), "assert");
  EXPECT_EQ(check_called("__assert_fail@plt"), "assert");
  EXPECT_EQ(check_called("abort"), "abort");
  EXPECT_EQ(check_called("_ZN7testing8internal12AssertHelperC1ENS_14TestPartResult4TypeEPKciS5_"),
            "GoogleTest");
  EXPECT_EQ(check_called("_ZN5Catch16AssertionHandler8completeEv"), "Catch2");
  EXPECT_EQ(check_called("abort_transaction"), "");
  // The library's own: they are not in the user's source.
  EXPECT_EQ(check_called("_ZSt21__glibcxx_assert_failPKciS0_S0_"), "");
  EXPECT_EQ(check_called("main"), "");
}

TEST(CheckSites, ThisProgramChecksSomething) {
  binary::Symbolizer symbolizer;
  const auto sites = find_check_sites("/proc/self/exe", symbolizer);
  ASSERT_TRUE(sites);
  int line_of_a_check = 0;
  for (const CheckSite& site : *sites) {
    if (base_name(site.frame.file) == "check_sites_test.cc" && site.what == "GoogleTest" &&
        site.is_counted && site.frame.line > 25 && site.frame.line < 40)
      line_of_a_check = site.frame.line;
  }
  EXPECT_NE(line_of_a_check, 0);
}

TEST(CheckSites, AFileThatIsNotThereIsAnError) {
  binary::Symbolizer symbolizer;
  EXPECT_FALSE(find_check_sites("/nowhere", symbolizer));
}

}  // namespace
}  // namespace snag::binary
