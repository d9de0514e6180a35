#include "tool/report/view/lock_order_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/binary/place.h"

namespace snag::report {
namespace {

constexpr std::size_t kMaxLockFrames = 6;

std::string headline(const LockOrderView& warning) {
  if (warning.sides.size() == 2) {
    return fmt::format("locks {} and {} are taken in both orders", warning.sides[0].held,
                       warning.sides[0].wanted);
  }
  std::vector<std::string> names;
  for (const LockOrderView::Side& side : warning.sides) names.push_back(side.held);
  return fmt::format("locks {} are taken in a circle", fmt::join(names, ", "));
}

}  // namespace

std::string LockOrderView::message() const {
  std::vector<std::string> parts;
  for (const Side& side : sides) {
    parts.push_back(fmt::format("T{} took {} at {} while holding {} (taken at {})", side.thread,
                                side.wanted,
                                side.stack.empty() ? FrameView{}.text() : side.stack.front().text(),
                                side.held, side.held_at.text()));
  }
  return fmt::format("{}: {}", headline(*this), fmt::join(parts, "; "));
}

LockOrderView view_of(const session::LockOrder& order, binary::Symbolizer& symbolizer,
                      SourceText& source) {
  LockOrderView view;
  ObjectNames names(symbolizer, order.modules, source);
  for (const LockOrderReport::Side& from : order.sides()) {
    LockOrderView::Side side;
    side.thread = from.thread;
    side.held = names.name(from.held);
    side.wanted = names.name(from.wanted);
    if (const binary::Frame* frame =
            binary::user_frame(symbolizer, order.modules, from.held_stack)) {
      side.held_at = frame_view(*frame, source);
    }
    side.stack = stack_view(order.modules, {from.stack, from.depth}, symbolizer, source);
    view.sides.push_back(std::move(side));
  }
  return view;
}

std::string lock_order_text(const LockOrderView& warning, const Painter& painter) {
  std::string text =
      fmt::format("{}: {}\n", painter.paint(Colour::kYellow, "warning"), headline(warning));
  for (const LockOrderView::Side& side : warning.sides) {
    text += fmt::format("  T{} took {} while holding {}\n", side.thread, side.wanted, side.held);
    for (std::size_t i = 0; i < std::min(side.stack.size(), kMaxLockFrames); ++i) {
      const FrameView& frame = side.stack[i];
      text += fmt::format("      {} {}\n", i == 0 ? "at" : "by", frame.text());
      if (i == 0 && !frame.source.empty())
        text += fmt::format("         {}\n", painter.paint(Colour::kDim, frame.source));
    }
    text += fmt::format("      {} was taken at {}\n", side.held, side.held_at.text());
  }
  return text;
}

}  // namespace snag::report
