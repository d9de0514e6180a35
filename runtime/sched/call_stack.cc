#include "runtime/sched/call_stack.h"

#include "runtime/base/modules.h"

namespace snag::rt {

std::span<const std::uint64_t> callers_of(Tid thread) {
  const Thread& t = sched.threads[thread];
  return {t.tables->calls, t.depth < kCallStackDepth ? t.depth : kCallStackDepth};
}

void note_library_call(std::uint64_t pc, void* frame) {
  if (!controlled) return;
  const std::uint64_t caller = search_stack(pc, frame);
  sched.current->caller_hint =
      caller == 0 ? 0 : static_cast<std::uint32_t>(caller - code_ranges[0].begin + 1);
}

std::uint64_t display_pc(const Thread* t, std::uint64_t pc) {
  const bool in_program = pc - code_ranges[0].begin < code_ranges[0].size;
  return in_program || pc == 0 || t->caller_hint == 0 ? pc
                                                      : code_ranges[0].begin + t->caller_hint - 1;
}

void copy_frames(const Thread* t, std::uint64_t* to) {
  const std::uint32_t depth = t->depth < kCallStackDepth ? t->depth : kCallStackDepth;
  for (std::uint32_t i = 0; i < kStepFrames; ++i)
    to[i] = i < depth ? t->tables->calls[depth - 1 - i] : 0;
}

}  // namespace snag::rt
