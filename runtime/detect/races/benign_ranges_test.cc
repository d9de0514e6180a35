#include "runtime/detect/races/benign_ranges.h"

#include <gtest/gtest.h>

namespace snag::rt {
namespace {

void* at(std::uint64_t address) { return reinterpret_cast<void*>(address); }

class Benign : public testing::Test {
 protected:
  Benign() { benign_begin_run(); }
};

TEST_F(Benign, IsWhatWasMarked) {
  EXPECT_FALSE(is_benign(100));
  mark_benign(at(100), 8);
  mark_benign(at(200), 1);
  EXPECT_FALSE(is_benign(99));
  EXPECT_TRUE(is_benign(100));
  EXPECT_TRUE(is_benign(107));
  EXPECT_FALSE(is_benign(108));
  EXPECT_TRUE(is_benign(200));
  EXPECT_FALSE(is_benign(201));
}

TEST_F(Benign, ARunStartsWithNothing) {
  mark_benign(at(100), 8);
  benign_begin_run();
  EXPECT_FALSE(is_benign(100));
}

TEST_F(Benign, EmptyAndEndlessRangesAreHarmless) {
  mark_benign(at(100), 0);
  EXPECT_FALSE(is_benign(100));
  mark_benign(at(200), SIZE_MAX);
  EXPECT_TRUE(is_benign(1'000'000));
  EXPECT_FALSE(is_benign(199));
}

TEST_F(Benign, ForgetsMemoryThatIsUsedAnew) {
  mark_benign(at(100), 100);
  mark_benign(at(300), 10);
  benign_forget(at(120), 10);
  EXPECT_TRUE(is_benign(119));
  EXPECT_FALSE(is_benign(120));
  EXPECT_FALSE(is_benign(129));
  EXPECT_TRUE(is_benign(130));
  EXPECT_TRUE(is_benign(199));
  benign_forget(at(0), 305);
  EXPECT_FALSE(is_benign(110));
  EXPECT_FALSE(is_benign(150));
  EXPECT_FALSE(is_benign(304));
  EXPECT_TRUE(is_benign(305));
}

TEST_F(Benign, ManyRanges) {
  for (std::uint64_t i = 1; i <= 3000; ++i) mark_benign(at(i * 16), 8);
  EXPECT_TRUE(is_benign(3000 * 16));
  EXPECT_FALSE(is_benign(3000 * 16 + 8));
  benign_forget(at(0), 16 * 5000);
  EXPECT_FALSE(is_benign(16));
  EXPECT_FALSE(is_benign(3000 * 16));
}

}  // namespace
}  // namespace snag::rt
