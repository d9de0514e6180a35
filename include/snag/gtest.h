// snag::explore for GoogleTest: EXPECT_ and ASSERT_ inside the body count, and a failing schedule
// fails the test.
//
//   TEST(Queue, PopsWhatWasPushed) {
//     snag::explore_test({.runs = 5'000}, [] {
//       ...
//       EXPECT_EQ(queue.size(), 0u);
//     });
//   }
#pragma once

#include <gtest/gtest.h>
#include <snag/explore.h>

namespace snag {

template <class Body>
ExploreResult explore_test(const ExploreOptions& options, Body&& body) {
  ExploreResult result = explore(options, [&body] {
    body();
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    if (!test || !test->result()->Failed()) return;
    for (int i = test->result()->total_part_count(); i-- > 0;) {
      const testing::TestPartResult& part = test->result()->GetTestPartResult(i);
      if (!part.failed()) continue;
      const std::string file = part.file_name() ? part.file_name() : "unknown file";
      fail(file + ":" + std::to_string(part.line_number()) + ": " + part.summary());
    }
  });
  if (!result) ADD_FAILURE() << result.report();
  return result;
}

}  // namespace snag
