#include "tool/report/view/step_places.h"

#include <algorithm>
#include <vector>

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

// What is known about the memory: the block that the report is about, or a thread's stack.
MemoryReport Places::memory_at(std::uint64_t address) const {
  const auto is_in = [&](const MemoryReport& memory) {
    return memory.kind == MemoryKind::kHeap && address - memory.begin < memory.size;
  };
  if (run_.race && is_in(run_.race->memory)) return run_.race->memory;
  if (run_.heap && is_in(run_.heap->memory)) return run_.heap->memory;
  MemoryReport memory{};
  memory.thread = memory.free_thread = kNoTid;
  for (const ThreadReport& thread : run_.threads) {
    if (address - thread.stack_begin >= thread.stack_size) continue;
    memory.kind = MemoryKind::kStack;
    memory.thread = thread.thread;
    break;
  }
  return memory;
}

// What the source calls the memory there, if it is clear that it means this memory.
std::string Places::memory_name(const Operation& operation, std::uint64_t pc,
                                std::span<const std::uint64_t> callers) {
  using Kind = binary::AccessKind;
  std::vector<std::uint64_t> stack = {pc};
  stack.insert(stack.end(), callers.begin(), std::find(callers.begin(), callers.end(), 0));
  binary::Access access;
  access.address = operation.address;
  access.size = operation.size;
  access.thread = operation.thread;
  access.kind = operation.kind == OpKind::kRead    ? Kind::kRead
                : operation.kind == OpKind::kWrite ? Kind::kWrite
                                                   : Kind::kOther;
  access.stack = stack;
  return names_.variables().source_name(run_.modules, access, memory_at(operation.address));
}

Place Places::at(const Operation& operation, std::uint64_t pc,
                 std::span<const std::uint64_t> callers) {
  const Frame* frame = users_frame(pc);
  for (std::size_t i = 0; frame == nullptr && i < callers.size() && callers[i] != 0; ++i)
    frame = users_frame(callers[i]);
  if (frame == nullptr) frame = binary::display_frame(symbolizer_.lookup(run_.modules, pc));
  if (frame == nullptr) return {};
  std::string expression =
      is_memory_access(operation.kind)
          ? memory_name(operation, pc, callers)
          : binary::object_expression(source_.whole_line(frame->file, frame->line), operation.kind);
  return {frame_view(*frame, source_), std::move(expression)};
}

Place Places::of_step(std::uint64_t step) {
  const Step& s = run_.steps[step];
  const std::uint32_t size = step < run_.values.size() ? run_.values[step].size : 0;
  return at({s.kind, s.thread, address_of(s), size}, s.pc, run_.callers(step));
}

Place Places::of_pending(const ThreadReport& report) {
  return at({report.pending, report.thread, report.object + report.offset, 0}, report.pending_pc,
            std::span(report.stack, report.depth));
}

Place Places::of_access(const AccessReport& access) {
  const bool is_plain = access.sync == SyncKind::kNone;
  const std::span<const std::uint64_t> stack(access.stack, access.depth);
  if (stack.empty()) return {};
  const OpKind kind = is_plain ? operation_of(access) : some_operation_on(access.sync);
  return at({kind, access.thread, access.address, access.size}, stack[0], stack.subspan(1));
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
