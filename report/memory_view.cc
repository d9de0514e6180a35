#include "report/memory_view.h"

#include <algorithm>

#include "report/source_names.h"

namespace snag::report {
namespace {

using engine::Frame;
using engine::ModuleMap;
using engine::Symbolizer;

std::vector<FrameView> stack_of(const std::uint64_t* stack, std::uint16_t depth,
                                const ModuleMap& modules, Symbolizer& symbolizer,
                                SourceText& source) {
  return stack_view(modules, std::span(stack, depth), symbolizer, source);
}

// What the source calls it where it is accessed.
std::string expression_of(const AccessReport& access, const ModuleMap& modules,
                          Symbolizer& symbolizer, SourceText& source) {
  for (int i = 0; i < access.depth; ++i) {
    const Frame* frame = engine::display_frame(symbolizer.lookup(modules, access.stack[i]));
    if (frame == nullptr || !engine::is_user_frame(*frame)) continue;
    return accessed_expression(source.whole_line(frame->file, frame->line), frame->column,
                               access.write != 0 ? OpKind::kWrite : OpKind::kRead);
  }
  return "";
}

AccessView access_view(const AccessReport& access, const ModuleMap& modules, Symbolizer& symbolizer,
                       SourceText& source, ObjectNames& names) {
  AccessView view;
  view.thread = access.thread;
  view.is_write = access.write != 0;
  view.is_atomic = access.atomic != 0;
  view.is_free = access.is_free != 0;
  view.size = access.size;
  view.stack = stack_of(access.stack, access.depth, modules, symbolizer, source);
  for (int i = 0; i < access.lock_count; ++i) {
    HeldLockView lock;
    std::string expression;
    const Frame* frame = engine::display_frame(symbolizer.lookup(modules, access.lock_pcs[i]));
    if (frame != nullptr) {
      lock.taken_at = frame_view(*frame, source);
      expression = accessed_expression(source.whole_line(frame->file, frame->line), frame->column,
                                       OpKind::kMutexLock);
    }
    lock.name = names.name(access.locks[i], expression);
    view.locks.push_back(std::move(lock));
  }
  return view;
}

MemoryView memory_view(const MemoryReport& memory, std::uint64_t address, const ModuleMap& modules,
                       Symbolizer& symbolizer, SourceText& source) {
  MemoryView view;
  view.kind = memory.kind;
  view.is_freed = memory.is_freed != 0;
  view.thread = memory.thread;
  view.free_thread = memory.free_thread;
  view.size = memory.size;
  view.offset = address >= memory.begin ? address - memory.begin : 0;
  view.alloc_stack = stack_of(memory.alloc_stack, memory.alloc_depth, modules, symbolizer, source);
  view.free_stack = stack_of(memory.free_stack, memory.free_depth, modules, symbolizer, source);
  return view;
}

}  // namespace

RaceView race_view(const RaceReport& race, const ModuleMap& modules, Symbolizer& symbolizer,
                   SourceText& source, ObjectNames& names) {
  std::string expression = expression_of(race.second, modules, symbolizer, source);
  if (expression.empty()) expression = expression_of(race.first, modules, symbolizer, source);
  names.add(race.second.address, expression);
  return {names.name(race.second.address, expression),
          access_view(race.first, modules, symbolizer, source, names),
          access_view(race.second, modules, symbolizer, source, names),
          memory_view(race.memory, race.second.address, modules, symbolizer, source)};
}

HeapView heap_view(const HeapReport& heap, const ModuleMap& modules, Symbolizer& symbolizer,
                   SourceText& source, ObjectNames& names) {
  const std::string expression = expression_of(heap.access, modules, symbolizer, source);
  return {heap.error, heap.distance, expression,
          access_view(heap.access, modules, symbolizer, source, names),
          memory_view(heap.memory, heap.access.address, modules, symbolizer, source)};
}

}  // namespace snag::report
