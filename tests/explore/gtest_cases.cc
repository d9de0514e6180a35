// Tests that must pass and tests that must fail, for gtest.py.
#include <snag/gtest.h>

#include <atomic>
#include <thread>

namespace {

// Whether the thread has run when the creator looks.
bool other_was_first() {
  std::atomic<bool> ran = false;
  std::thread other([&] { ran = true; });
  const bool result = ran;
  other.join();
  return result;
}

TEST(Passes, NothingFails) {
  const auto result =
      snag::explore_test({.runs = 200}, [] { EXPECT_TRUE(other_was_first() || true); });
  EXPECT_EQ(result.runs, 200u);
}

TEST(Passes, Exhausted) {
  EXPECT_TRUE(snag::explore_test({.strategy = "dfs"}, [] { other_was_first(); }).exhausted);
}

TEST(Fails, Expect) {
  snag::explore_test({}, [] { EXPECT_TRUE(other_was_first()) << "too early"; });
}
TEST(Fails, Assert) {
  snag::explore_test({}, [] { ASSERT_FALSE(other_was_first()); });
}
TEST(Fails, Crash) {
  snag::explore_test({}, [] {
    if (other_was_first()) __builtin_trap();
  });
}
TEST(Fails, Exception) {
  snag::explore_test({}, [] {
    if (other_was_first()) throw std::runtime_error("boom");
  });
}

// Neither the failures before, nor what the runs printed, reach this one.
TEST(Passes, AfterAllThat) {
  snag::explore_test({.runs = 50}, [] { other_was_first(); });
}

}  // namespace
