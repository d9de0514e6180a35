// Implements runtime/hooks/hooks.h: the hooks that the compiler's -fsanitize=thread puts into the
// program at plain accesses and at the entry of functions. In a program that runs by itself they do
// nothing.
#include "arch/arch.h"
#include "runtime/hooks/access.h"
#include "runtime/record/stack_frames.h"
#include "runtime/sched/observer.h"

using namespace snag;
using namespace snag::rt;

namespace snag::rt {

namespace {

__attribute__((noinline)) void plain_point(const void* address, std::uint64_t size, bool write,
                                           std::uint64_t pc) {
  // In an instrumented library the place itself counts, not the earlier caller of an interposed
  // function in a library.
  if (pc - code_ranges[0].begin >= code_ranges[0].size) sched.current->caller_hint = 0;
  quick_step(write ? OpKind::kWrite : OpKind::kRead, address, size, pc);
  if (write) {
    note_write();
  } else {
    note_read(pc, reinterpret_cast<std::uint64_t>(address));
  }
}

__attribute__((noinline)) void quiet_for_long(std::uint64_t pc) {
  Thread* t = sched.current;
  t->quiet_accesses = 0;
  const bool quiet = t->quiet_step == sched.step;
  t->quiet_step = sched.step;
  if (quiet) yield_step(pc);
}

[[gnu::always_inline]] inline void count_entry(std::uint64_t caller) {
  Thread* t = sched.current;
  if (t->depth < kCallStackDepth) t->tables->calls[t->depth] = caller;
  ++t->depth;
}
[[gnu::always_inline]] inline void count_exit() {
  if (sched.current->depth > 0) --sched.current->depth;
}

// The stack pointer of the program's function: the hook has jumped here instead of calling.
#define SNAG_STACK_POINTER \
  (reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)) + kFrameLinkSize)

__attribute__((noinline)) void observed_entry(std::uint64_t caller, std::uint64_t pc) {
  if (observes(kObservesCalls)) {
    frame_begins(SNAG_STACK_POINTER, caller);
    observe_entered(pc, caller);
  }
  count_entry(caller);
}
__attribute__((noinline)) void observed_exit() {
  if (observes(kObservesCalls)) observe_left(frame_ends(SNAG_STACK_POINTER));
  count_exit();
}

}  // namespace

void full_access(const void* address, std::uint64_t size, bool write, std::uint64_t pc) {
  if (sched.current->quiet_accesses > kQuietLimit) quiet_for_long(pc);
  if (points != Points::kSync) {
    const std::uint8_t flags = *pc_flags(pc);
    if ((flags & kPointPc) || (points == Points::kAll && !(flags & kIgnoredPc)))
      plain_point(address, size, write, pc);
    if (learning) learn_access(address, size, write, pc);
  }
  heap_check(address, size, write, pc);
  observe_access(write ? AccessKind::kWrite : AccessKind::kRead, address, size, pc);
  if (race_detection) race_access(address, size, write, pc);
}

void doubtful_access(const void* address, std::uint64_t size, bool write, std::uint64_t pc) {
  if (!heap_range_is_fine(address, size)) heap_check(address, size, write, pc);
  if (race_detection) race_access(address, size, write, pc);
}

void access_range(const void* address, std::uint64_t size, bool write, std::uint64_t pc) {
  range_access(address, size, write, pc);
}

}  // namespace snag::rt

#define SNAG_PLAIN_HOOKS(size)                                                                   \
  SNAG_HOOK void __tsan_read##size(void* a) { plain_access<size, false>(a, SNAG_PC); }           \
  SNAG_HOOK void __tsan_write##size(void* a) { plain_access<size, true>(a, SNAG_PC); }           \
  SNAG_HOOK void __tsan_unaligned_read##size(void* a) { plain_access<size, false>(a, SNAG_PC); } \
  SNAG_HOOK void __tsan_unaligned_write##size(void* a) { plain_access<size, true>(a, SNAG_PC); } \
  SNAG_HOOK void __tsan_volatile_read##size(void* a) { plain_access<size, false>(a, SNAG_PC); }  \
  SNAG_HOOK void __tsan_volatile_write##size(void* a) { plain_access<size, true>(a, SNAG_PC); }  \
  SNAG_HOOK void __tsan_unaligned_volatile_read##size(void* a) {                                 \
    plain_access<size, false>(a, SNAG_PC);                                                       \
  }                                                                                              \
  SNAG_HOOK void __tsan_unaligned_volatile_write##size(void* a) {                                \
    plain_access<size, true>(a, SNAG_PC);                                                        \
  }                                                                                              \
  SNAG_HOOK void __tsan_read_write##size(void* a) { plain_access<size, true>(a, SNAG_PC); }      \
  SNAG_HOOK void __tsan_unaligned_read_write##size(void* a) {                                    \
    plain_access<size, true>(a, SNAG_PC);                                                        \
  }                                                                                              \
  SNAG_HOOK void __tsan_read##size##_pc(void* a, void* pc) {                                     \
    plain_access<size, false>(a, (std::uint64_t)pc);                                             \
  }                                                                                              \
  SNAG_HOOK void __tsan_write##size##_pc(void* a, void* pc) {                                    \
    plain_access<size, true>(a, (std::uint64_t)pc);                                              \
  }
SNAG_PLAIN_HOOKS(1)
SNAG_PLAIN_HOOKS(2)
SNAG_PLAIN_HOOKS(4)
SNAG_PLAIN_HOOKS(8)
SNAG_PLAIN_HOOKS(16)

SNAG_HOOK void __tsan_read_range(void* a, unsigned long size) {
  range_access(a, size, false, SNAG_PC);
}
SNAG_HOOK void __tsan_write_range(void* a, unsigned long size) {
  range_access(a, size, true, SNAG_PC);
}
// Constructors and destructors store the table pointer again and again: only a change is a write.
SNAG_HOOK void __tsan_vptr_update(void** a, void* value) {
  if (*a != value) plain_access<8, true>(a, SNAG_PC);
}
SNAG_HOOK void __tsan_vptr_read(void** a) { plain_access<8, false>(a, SNAG_PC); }

SNAG_HOOK void __tsan_func_entry(void* caller) {
  const HookMode mode = hook_mode;
  if (mode == HookMode::kNative) return;
  if (__builtin_expect(mode != HookMode::kControlled, 0)) {
    const auto from = reinterpret_cast<std::uint64_t>(caller);
    if (mode == HookMode::kCovering) return cover_begin(SNAG_PC, from);
    return observed_entry(from, SNAG_PC);
  }
  count_entry(reinterpret_cast<std::uint64_t>(caller));
}
SNAG_HOOK void __tsan_func_exit() {
  const HookMode mode = hook_mode;
  if (mode == HookMode::kNative) return;
  if (__builtin_expect(mode != HookMode::kControlled, 0)) {
    if (mode == HookMode::kCovering) return cover_end();
    return observed_exit();
  }
  count_exit();
}

SNAG_HOOK void __tsan_init() {}
SNAG_HOOK void __tsan_ignore_thread_begin() {}
SNAG_HOOK void __tsan_ignore_thread_end() {}
