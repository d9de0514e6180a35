#include "tool/report/view/late_wakeup_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/binary/place.h"
#include "tool/binary/variables/object_expression.h"

namespace snag::report {
namespace {

constexpr std::size_t kMaxWaitFrames = 6;

std::string late_headline(const LateWakeupView& warning) {
  return fmt::format(
      "the signal for {} came too early, and only a timeout of {:g} s ended the wait",
      warning.condition, warning.seconds);
}

bool is_known(const FrameView& frame) { return !frame.file.empty() || !frame.function.empty(); }

FrameView place_view(const session::LateWakeup& late, std::uint64_t pc,
                     binary::Symbolizer& symbolizer, SourceText& source) {
  // Without its callers, a place in a library says nothing.
  const binary::Frame* frame = binary::user_frame(symbolizer, late.modules, {&pc, 1});
  return frame == nullptr || !binary::is_user_frame(*frame) ? FrameView{}
                                                            : frame_view(*frame, source);
}

// As learn_names() for failures: what the source calls the objects at the places of the warning.
void learn_names(const session::LateWakeup& late, binary::Symbolizer& symbolizer,
                 SourceText& source, ObjectNames& names) {
  const LateWakeupReport& from = late.report;
  const auto add_condition = [&](std::span<const std::uint64_t> stack) {
    const binary::Frame* frame = binary::user_frame(symbolizer, late.modules, stack);
    if (frame == nullptr) return;
    const std::string line = source.whole_line(frame->file, frame->line);
    names.add(from.condition, binary::object_expression(line, OpKind::kCondWait));
  };
  add_condition({&from.signal_pc, 1});
  add_condition({from.stack, from.depth});
  if (from.word == 0) return;
  MemoryReport unknown{};
  unknown.thread = unknown.free_thread = kNoTid;
  const auto add_variable = [&](Tid thread, const std::uint64_t& pc) {
    binary::Access access;
    access.address = from.word;
    access.thread = thread;
    access.kind = binary::AccessKind::kOther;
    access.stack = {&pc, 1};
    names.add(from.word, names.variables().source_name(late.modules, access, unknown));
  };
  add_variable(from.thread, from.read_pc);
  add_variable(from.signaller, from.written_pc);
}

}  // namespace

std::string LateWakeupView::message() const {
  const auto at = [](const FrameView& frame) {
    return is_known(frame) ? " at " + frame.text() : "";
  };
  std::string text = fmt::format("{}: T{} signalled{} when no thread was waiting; T{} waited{}",
                                 late_headline(*this), signaller, at(signalled_at), thread,
                                 stack.empty() ? "" : at(stack.front()));
  if (!variable.empty()) {
    text += fmt::format(", after it had read {}{} and before it could see what T{} wrote{}",
                        variable, at(read_at), signaller, at(written_at));
  }
  return text;
}

LateWakeupView view_of(const session::LateWakeup& late, binary::Symbolizer& symbolizer,
                       SourceText& source) {
  const LateWakeupReport& from = late.report;
  LateWakeupView view;
  ObjectNames names(symbolizer, late.modules, source);
  learn_names(late, symbolizer, source, names);
  view.thread = from.thread;
  view.signaller = from.signaller;
  view.condition = names.name(from.condition);
  view.seconds = static_cast<double>(from.waited_ns) / 1e9;
  view.stack = stack_view(late.modules, {from.stack, from.depth}, symbolizer, source);
  view.signalled_at = place_view(late, from.signal_pc, symbolizer, source);
  if (from.word != 0) {
    view.variable = names.name(from.word);
    view.read_at = place_view(late, from.read_pc, symbolizer, source);
    view.written_at = place_view(late, from.written_pc, symbolizer, source);
  }
  return view;
}

std::string late_wakeup_text(const LateWakeupView& warning, const Painter& painter) {
  const auto line_of = [&](const FrameView& frame) {
    return frame.source.empty()
               ? std::string()
               : fmt::format("         {}\n", painter.paint(Colour::kDim, frame.source));
  };
  const auto at = [&](const FrameView& frame) {
    return is_known(frame) ? fmt::format("      at {}\n{}", frame.text(), line_of(frame)) : "";
  };
  std::string text =
      fmt::format("{}: {}\n", painter.paint(Colour::kYellow, "warning"), late_headline(warning));
  if (!warning.variable.empty()) {
    text += fmt::format("  T{} read {}\n{}", warning.thread, warning.variable, at(warning.read_at));
    text += fmt::format("  T{} wrote {}\n{}", warning.signaller, warning.variable,
                        at(warning.written_at));
  }
  text += fmt::format("  T{} signalled {} when no thread was waiting\n{}", warning.signaller,
                      warning.condition, at(warning.signalled_at));
  text += fmt::format("  T{} waited until its timeout, while no other thread could run\n",
                      warning.thread);
  for (std::size_t i = 0; i < std::min(warning.stack.size(), kMaxWaitFrames); ++i) {
    const FrameView& frame = warning.stack[i];
    text += fmt::format("      {} {}\n", i == 0 ? "at" : "by", frame.text());
    if (i == 0) text += line_of(frame);
  }
  return text;
}

}  // namespace snag::report
