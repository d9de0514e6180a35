#include "tool/session/lock_orders.h"

#include <gtest/gtest.h>

#include <memory>

namespace snag::session {
namespace {

TEST(WithPlaces, LeavesOtherTextAlone) {
  binary::Symbolizer symbolizer;
  const binary::ModuleMap modules;
  for (const char* text : {"", "nothing", "@", "@{", "@{}", "@{12", "@{12,", "@{xy}", "a@{12;13}b",
                           "@{1,2,3,4,5,6,7}", "@{11112222333344445}"}) {
    EXPECT_EQ(with_places(text, modules, symbolizer), text);
  }
}

TEST(WithPlaces, PutsPlacesIn) {
  binary::Symbolizer symbolizer;
  const binary::ModuleMap modules;
  EXPECT_EQ(with_places("at @{12ab}, by @{1,2}.", modules, symbolizer),
            "at an unknown place, by an unknown place.");
}

TEST(CopyLockOrders, TrustsNoNumber) {
  const auto shared = std::make_unique<Shared>();
  shared->live.lock_order_count = 1'000'000;
  shared->module_count = 1'000'000;
  shared->lock_orders[0].count = 2;
  shared->lock_orders[0].sides[1].depth = 60'000;
  shared->lock_orders[1].count = 77;
  const auto orders = copy_lock_orders(*shared);
  ASSERT_EQ(orders.size(), 1u);
  EXPECT_EQ(orders[0].sides().size(), 2u);
  EXPECT_EQ(orders[0].sides()[1].depth, kMaxStackDepth);
}

}  // namespace
}  // namespace snag::session
