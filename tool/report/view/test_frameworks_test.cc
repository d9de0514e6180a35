#include "tool/report/view/test_frameworks.h"

#include <gtest/gtest.h>

namespace snag::report {
namespace {

TEST(NoTest, IsSaidByEachFrameworkInItsWords) {
  for (const char* output :
       {"Note: Google Test filter = Nope.*\n[==========] Running 0 tests from 0 test suites.\n"
        "[==========] 0 tests from 0 test suites ran. (0 ms total)\n[  PASSED  ] 0 tests.\n",
        "Filters: nope\nRandomness seeded to: 3\nNo tests ran\n",
        "No test cases matched 'nope'\n\nNo tests ran\n",
        "[doctest] doctest version is \"2.4.9\"\n"
        "[doctest] test cases:  0 |  0 passed | 0 failed | 3 skipped\n",
        "\x1b[0;36m[doctest] \x1b[0mtest cases: 0 | 0 passed | 0 failed |\n",
        "?[0;36m[doctest] ?[0mtest cases: 0 | 0 passed | 0 failed |\n",
        "Test setup error: no test cases matching filter or all test cases were disabled\n",
        "OK (0)\n", "OK (5 tests, 0 ran, 0 checks, 0 ignored, 5 filtered out, 0 ms)\n",
        "Running suite(s): Core\n100%: Checks: 0, Failures: 0, Errors: 0\n",
        "[==========] Running 2 tests from 1 test suite.\n[  PASSED  ] 0 tests.\n"
        "[  SKIPPED ] 2 tests, listed below:\n"}) {
    EXPECT_NE(no_test_line(output), "") << output;
  }
}

TEST(NoTest, IsNotSaidWhereTestsRan) {
  for (const char* output :
       {"", "no tests ran into trouble\n",
        "[==========] Running 10 tests from 2 test suites.\n[  PASSED  ] 10 tests.\n",
        "[==========] Running 1 test from 1 test suite.\n[  PASSED  ] 0 tests.\n"
        "[  FAILED  ] 1 test, listed below:\n",
        "[doctest] test cases: 10 | 10 passed | 0 failed | 0 skipped\n",
        "All tests passed (1 assertion in 1 test case)\n", "OK (10)\n",
        "OK (5 tests, 10 ran, 4 checks, 0 ignored, 0 filtered out, 0 ms)\n",
        "100%: Checks: 30, Failures: 0, Errors: 0\n", "*** No errors detected\n"}) {
    EXPECT_EQ(no_test_line(output), "") << output;
  }
}

}  // namespace
}  // namespace snag::report
