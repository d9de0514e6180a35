#include "tool/report/view/memory_view.h"

#include <algorithm>

#include "tool/binary/variables/object_expression.h"
#include "tool/binary/variables/raced_memory.h"

namespace snag::report {
namespace {

using binary::Frame;
using binary::ModuleMap;
using binary::Symbolizer;

std::vector<FrameView> stack_of(const std::uint64_t* stack, std::uint16_t depth,
                                const ModuleMap& modules, Symbolizer& symbolizer,
                                SourceText& source) {
  return stack_view(modules, std::span(stack, depth), symbolizer, source);
}

std::string lock_expression(const AccessReport& access, int lock, const ModuleMap& modules,
                            Symbolizer& symbolizer, SourceText& source) {
  const Frame* frame = binary::display_frame(symbolizer.lookup(modules, access.lock_pcs[lock]));
  if (frame == nullptr) return "";
  return binary::object_expression(source.whole_line(frame->file, frame->line), OpKind::kMutexLock);
}

AccessView access_view(const AccessReport& access, const ModuleMap& modules, Symbolizer& symbolizer,
                       SourceText& source, ObjectNames& names) {
  AccessView view;
  view.thread = access.thread;
  view.is_write = access.write != 0;
  view.is_atomic = access.atomic != 0;
  view.is_free = access.is_free != 0;
  view.sync = access.sync;
  view.size = access.size;
  view.stack = stack_of(access.stack, access.depth, modules, symbolizer, source);
  for (int i = 0; i < access.lock_count; ++i) {
    HeldLockView lock;
    const Frame* frame = binary::display_frame(symbolizer.lookup(modules, access.lock_pcs[i]));
    if (frame != nullptr) lock.taken_at = frame_view(*frame, source);
    lock.name =
        names.name(access.locks[i], lock_expression(access, i, modules, symbolizer, source));
    view.locks.push_back(std::move(lock));
  }
  return view;
}

MemoryView memory_view(const MemoryReport& memory, const AccessReport& access, bool is_member,
                       const ModuleMap& modules, Symbolizer& symbolizer, SourceText& source) {
  MemoryView view;
  view.kind = memory.kind;
  view.is_freed = memory.is_freed != 0;
  view.is_member = memory.kind == MemoryKind::kHeap && is_member;
  view.thread = memory.thread;
  view.free_thread = memory.free_thread;
  view.size = memory.size;
  view.offset = access.address >= memory.begin ? access.address - memory.begin : 0;
  view.alloc_stack = stack_of(memory.alloc_stack, memory.alloc_depth, modules, symbolizer, source);
  view.free_stack = stack_of(memory.free_stack, memory.free_depth, modules, symbolizer, source);
  return view;
}

}  // namespace

void learn_names(const session::FailedRun& run, Symbolizer& symbolizer, SourceText& source,
                 ObjectNames& names) {
  const auto learn_locks = [&](const AccessReport& access) {
    for (int i = 0; i < access.lock_count; ++i)
      names.add(access.locks[i], lock_expression(access, i, run.modules, symbolizer, source));
  };
  const auto learn_variable = [&](const AccessReport& access, const binary::VariableName& name) {
    // "done" of "local `done` of main, on the stack of T0".
    const std::string_view local = "local `";
    if (name.text.starts_with(local)) {
      const std::size_t begin = local.size();
      names.add_known(access.address, name.text.substr(begin, name.text.find('`', begin) - begin));
    }
    // "count_" of "Queue::count_".
    const std::size_t scope = name.text.rfind("::");
    if (name.certain && scope != std::string::npos)
      names.add_known(access.address, name.text.substr(scope + 2));
  };
  if (run.race) {
    learn_locks(run.race->first);
    learn_locks(run.race->second);
    const binary::RacedMemory variable =
        binary::raced_memory(*run.race, run.modules, names.variables());
    learn_variable(*variable.access, variable.name);
  }
  if (run.heap) {
    const AccessReport& access = run.heap->access;
    learn_locks(access);
    learn_variable(
        access, names.variables().name(run.modules, binary::access_of(access), run.heap->memory));
  }
}

RaceView race_view(const RaceReport& race, const ModuleMap& modules, Symbolizer& symbolizer,
                   SourceText& source, ObjectNames& names) {
  const auto [variable, access] = binary::raced_memory(race, modules, names.variables());
  return {variable.text, access_view(race.first, modules, symbolizer, source, names),
          access_view(race.second, modules, symbolizer, source, names),
          memory_view(race.memory, *access, variable.certain, modules, symbolizer, source)};
}

HeapView heap_view(const HeapReport& heap, const ModuleMap& modules, Symbolizer& symbolizer,
                   SourceText& source, ObjectNames& names) {
  binary::VariableName variable;
  // A freed address that is not a block is described by its location.
  if (heap.error != HeapError::kBadFree)
    variable = names.variables().name(modules, binary::access_of(heap.access), heap.memory);
  return {heap.error, heap.distance, variable.text,
          access_view(heap.access, modules, symbolizer, source, names),
          memory_view(heap.memory, heap.access, variable.certain, modules, symbolizer, source)};
}

}  // namespace snag::report
