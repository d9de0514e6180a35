#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <snag/schedule_doctest.h>

#include "both_orders.h"

SNAG_SCHEDULED_TEST_CASE("doctest flag", {"while one waits", "[waiting] -> setting"},
                         {"before", "hasSet -> waiting"}) {
  CHECK(wait_for_flag());
}
