// A warning, as reports show it: locks that are taken in both orders, or in a cycle.
#pragma once

#include <string>
#include <vector>

#include "tool/base/terminal.h"
#include "tool/report/view/failure_view.h"
#include "tool/report/view/object_names.h"
#include "tool/session/lock_orders.h"

namespace snag::report {

struct LockOrderView {
  struct Side {
    Tid thread = 0;
    std::string held, wanted;  // names: A, B, ...
    FrameView held_at;
    std::vector<FrameView> stack;  // where it took the wanted one, innermost first
  };
  std::vector<Side> sides;

  // "locks A and B are taken in both orders: T1 took B at ... while holding A (taken at ...); ..."
  std::string message() const;
};

LockOrderView view_of(const session::LockOrder& order, binary::Symbolizer& symbolizer,
                      SourceText& source);

std::string lock_order_text(const LockOrderView& warning, const Painter& painter);

}  // namespace snag::report
