#define CATCH_CONFIG_MAIN
#include <snag/schedule_catch2.h>

#include "both_orders.h"

SNAG_SCHEDULED_TEST_CASE("catch2 flag", "[flag]", {"while one waits", "[waiting] -> setting"},
                         {"before", "hasSet -> waiting"}) {
  CHECK(wait_for_flag());
}
