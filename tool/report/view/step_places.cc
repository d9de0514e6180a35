#include "tool/report/view/step_places.h"

#include "tool/binary/variables/object_expression.h"

namespace snag::report {
namespace {

// A name that the source may use for such an object.
OpKind some_operation_on(SyncKind what) {
  switch (what) {
    case SyncKind::kCondition:
      return OpKind::kCondWait;
    case SyncKind::kSemaphore:
      return OpKind::kSemWait;
    case SyncKind::kBarrier:
      return OpKind::kBarrierWait;
    default:
      return OpKind::kMutexLock;
  }
}

}  // namespace

using binary::Frame;

Place Places::at(OpKind op, std::uint64_t pc, std::span<const std::uint64_t> callers) {
  const Frame* frame = users_frame(pc);
  for (std::size_t i = 0; frame == nullptr && i < callers.size() && callers[i] != 0; ++i)
    frame = users_frame(callers[i]);
  if (frame == nullptr) frame = binary::display_frame(symbolizer_.lookup(run_.modules, pc));
  if (frame == nullptr) return {};
  return {
      frame_view(*frame, source_),
      binary::object_expression(source_.whole_line(frame->file, frame->line), frame->column, op)};
}

Place Places::of_step(std::uint64_t step) {
  return at(run_.steps[step].kind, run_.steps[step].pc, run_.callers(step));
}

Place Places::of_pending(const ThreadReport& report) {
  return at(report.pending, report.pending_pc, std::span(report.stack, report.depth));
}

Place Places::of_access(const AccessReport& access) {
  const bool is_plain = access.sync == SyncKind::kNone;
  const std::span<const std::uint64_t> stack(access.stack, access.depth);
  if (stack.empty()) return {};
  return at(is_plain ? operation_of(access) : some_operation_on(access.sync), stack[0],
            stack.subspan(1));
}

const Frame* Places::users_frame(std::uint64_t pc) {
  const Frame* frame = binary::display_frame(symbolizer_.lookup(run_.modules, pc));
  return frame != nullptr && binary::is_user_frame(*frame) ? frame : nullptr;
}

OpKind operation_of(const AccessReport& access) {
  if (access.is_free != 0) return OpKind::kFree;
  if (access.write != 0) return access.atomic != 0 ? OpKind::kAtomicStore : OpKind::kWrite;
  return access.atomic != 0 ? OpKind::kAtomicLoad : OpKind::kRead;
}

}  // namespace snag::report
