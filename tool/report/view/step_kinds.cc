#include "tool/report/view/step_kinds.h"

#include <algorithm>
#include <span>

namespace snag::report {
namespace {

// Whether both are parts of one deallocation.
bool goes_on_freeing(const Step& before, const Step& step) {
  return step.kind == OpKind::kFree && before.kind == OpKind::kFree &&
         step.thread == before.thread && step.pc == before.pc && step.object == before.object + 8;
}

bool fits(const AccessReport& access, OpKind kind) {
  const bool is_atomic =
      kind == OpKind::kAtomicLoad || kind == OpKind::kAtomicStore || kind == OpKind::kAtomicRmw;
  if (!is_memory_access(kind) || is_atomic != (access.atomic != 0)) return false;
  // A failed exchange only reads.
  return access.write != 0 ? op_access(kind) == 'w'
                           : op_access(kind) == 'r' || kind == OpKind::kAtomicRmw;
}

}  // namespace

using session::FailedRun;

bool takes_lock(OpKind kind) {
  switch (kind) {
    case OpKind::kMutexLock:
    case OpKind::kMutexTryLock:
    case OpKind::kMutexTimedLock:
    case OpKind::kRwReadLock:
    case OpKind::kRwWriteLock:
    case OpKind::kRwTryLock:
    case OpKind::kSpinLock:
    case OpKind::kSemWait:
    case OpKind::kOnce:
    case OpKind::kStaticGuard:
      return true;
    default:
      return false;
  }
}

bool releases_lock(OpKind kind) {
  return kind == OpKind::kMutexUnlock || kind == OpKind::kRwUnlock || kind == OpKind::kSpinUnlock;
}

std::uint64_t object_of(const FailedRun& run, std::uint64_t step) {
  const Step& s = run.steps[step];
  return is_memory_access(s.kind) ? address_of(s) : s.object;
}

std::uint64_t pending_object(const ThreadReport& report) {
  return is_memory_access(report.pending) ? report.object + report.offset : report.object;
}

std::uint64_t begin_of_free(const FailedRun& run, std::uint64_t step) {
  while (step > 0 && goes_on_freeing(run.steps[step - 1], run.steps[step])) --step;
  return step;
}

std::uint64_t end_of_free(const FailedRun& run, std::uint64_t step) {
  while (++step < run.steps.size() && goes_on_freeing(run.steps[step - 1], run.steps[step])) {
  }
  return step;
}

bool is_step_of(const AccessReport& access, const FailedRun& run, std::uint64_t step) {
  if (access.step == 0 || access.step > run.steps.size()) return false;
  const Step& last = run.steps[access.step - 1];
  if (access.thread != last.thread) return false;
  const std::uint64_t word = access.address & ~7ull;
  if (access.is_free != 0) {
    const std::uint64_t begin = begin_of_free(run, access.step - 1);
    return last.kind == OpKind::kFree && step == begin && word >= run.steps[begin].object &&
           word <= last.object;
  }
  // Not every access is a step: the last one before it may be another access to the same word.
  const std::span stack(access.stack, access.depth);
  const bool is_there =
      stack.empty() || std::find(stack.begin(), stack.end(), last.pc) != stack.end();
  return access.step == step + 1 && word == last.object && fits(access, last.kind) && is_there;
}

AccessReport freeing_of(const HeapReport& heap) {
  const MemoryReport& memory = heap.memory;
  AccessReport access{};
  access.thread = memory.free_thread;
  access.write = access.is_free = 1;
  access.address = memory.begin;
  access.size = static_cast<std::uint32_t>(memory.size);
  access.step = memory.is_freed != 0 ? memory.free_step : 0;
  access.depth = memory.free_depth;
  std::copy_n(memory.free_stack, memory.free_depth, access.stack);
  return access;
}

}  // namespace snag::report
