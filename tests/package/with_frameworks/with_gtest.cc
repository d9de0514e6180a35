#include <snag/gtest.h>  // goes together with snag::explore's
#include <snag/schedule_gtest.h>

#include "both_orders.h"

SNAG_SCHEDULED_TEST(Flag, IsSet, {"while one waits", "[waiting] -> setting"},
                    {"before", "hasSet -> waiting"}) {
  EXPECT_TRUE(wait_for_flag());
}
