#include "runtime/record/memory_report.h"

#include <link.h>

#include "arch/arch.h"
#include "runtime/base/modules.h"

namespace snag::rt {

bool (*describe_heap_block)(const void*, MemoryReport*) = nullptr;
void (*describe_named_block)(const void*, MemoryReport*) = nullptr;

namespace {

int covers_address(dl_phdr_info* info, std::size_t, void* opaque) {
  const auto address = *static_cast<const std::uint64_t*>(opaque);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type == PT_LOAD && address - (info->dlpi_addr + header.p_vaddr) < header.p_memsz)
      return 1;
  }
  return 0;
}

void describe_whole(MemoryReport& report, const void* pointer) {
  auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (describe_heap_block && describe_heap_block(pointer, &report)) return;
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    const Thread* t = &sched.threads[i];
    const Context* context = t->context;
    if (context->occupant != t || address - context->stack_begin >= context->stack_size) continue;
    // Above the first frame of a thread lie its thread-local variables.
    const auto first_frame = reinterpret_cast<std::uint64_t>(t->exit_frame);
    report.kind =
        first_frame != 0 && address > first_frame ? MemoryKind::kThreadLocal : MemoryKind::kStack;
    report.thread = t->tid;
    return;
  }
  if (dl_iterate_phdr(covers_address, &address) != 0) {
    report.kind = MemoryKind::kGlobal;
    return;
  }
  constexpr std::uint64_t kMainThreadLocals = 64 * 1024;
  if (may_be_thread_local(sched.threads[0].context->thread_pointer, address, kMainThreadLocals)) {
    report.kind = MemoryKind::kThreadLocal;
    report.thread = 0;
  }
}

}  // namespace

std::uint32_t locks_of(const Thread* t, std::uint64_t* out) {
  std::uint32_t count = 0;
  for (std::uint32_t i = t->held_count; i > 0 && count < kMaxReportedLocks; --i, ++count) {
    out[count * 2] = t->tables->held[i - 1]->address;
    out[count * 2 + 1] = t->tables->held[i - 1]->owner_pc;
  }
  return count;
}

void fill_locks(AccessReport& report, const std::uint64_t* pairs, std::uint64_t count) {
  report.lock_count = static_cast<std::uint16_t>(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    report.locks[i] = pairs[i * 2];
    report.lock_pcs[i] = pairs[i * 2 + 1];
  }
}

std::uint16_t stack_of(const Thread* t, std::uint64_t pc, std::uint64_t* out) {
  std::uint16_t depth = 0;
  if (pc != 0) out[depth++] = pc;
  std::uint32_t top = t->depth < kCallStackDepth ? t->depth : kCallStackDepth;
  while (top > 0 && depth < kMaxStackDepth) out[depth++] = t->tables->calls[--top];
  return depth;
}

void describe_access(AccessReport& report, const ReportedAccess& access) {
  const Thread* t = sched.current;
  report = {};
  report.thread = t->tid;
  report.write = access.write;
  report.atomic = access.atomic;
  report.is_free = access.is_free;
  report.size = static_cast<std::uint32_t>(access.size);
  report.address = access.address;
  report.step = sched.step;
  const std::uint64_t pc = access.pc;
  report.depth = stack_of(t, code_position(pc) != 0 ? pc : display_pc(t, pc), report.stack);
  std::uint64_t locks[2 * kMaxReportedLocks];
  const std::uint32_t count = locks_of(t, locks);
  fill_locks(report, locks, count);
}

void describe_memory(MemoryReport& report, const void* pointer) {
  report = {};
  report.thread = report.free_thread = kNoTid;
  describe_whole(report, pointer);
  if (describe_named_block) describe_named_block(pointer, &report);
}

}  // namespace snag::rt
