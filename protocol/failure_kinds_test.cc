#include "protocol/failure_kinds.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace snag {
namespace {

TEST(FailureKinds, NamesDifferAndFitTheirField) {
  std::set<std::string> names;
  for (const FailureRow& row : kFailureRows) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_LT(std::string(row.name).size(), 24u) << row.name;  // snag_explore_result::kind
    EXPECT_STRNE(row.headline, "");
  }
}

TEST(FailureKinds, RowsFollowTheEnumerators) {
  EXPECT_STREQ(failure_name(FailureKind::kNone), "none");
  EXPECT_STREQ(failure_name(FailureKind::kLostWakeup), "lost-wakeup");
  EXPECT_STREQ(failure_headline(FailureKind::kRace), "data race");
  EXPECT_STREQ(failure_name(FailureKind::kLockMisuse), "lock-misuse");
}

TEST(FailureKinds, TraitsOfTheKindsThatWait) {
  for (const FailureKind kind : {FailureKind::kDeadlock, FailureKind::kLostWakeup}) {
    EXPECT_TRUE(has_trait(kind, kThreadsWait));
    EXPECT_TRUE(never_ends(kind));
    EXPECT_FALSE(has_trait(kind, kEndless));
  }
  EXPECT_TRUE(never_ends(FailureKind::kHang));
  EXPECT_FALSE(never_ends(FailureKind::kAssert));
}

TEST(FailureKinds, NumbersThatAreNotKindsAreHarmless) {
  const auto unknown = static_cast<FailureKind>(kFailureKindCount);
  EXPECT_FALSE(is_failure_kind(unknown));
  EXPECT_STREQ(failure_name(unknown), "unknown");
  EXPECT_STREQ(failure_headline(unknown), "unknown");
  EXPECT_FALSE(has_trait(unknown, ~0u));
}

}  // namespace
}  // namespace snag
