// The hooks that the compiler's -fsanitize=thread puts into the program: every memory access,
// atomic operation and function entry. In a program that runs by itself they do nothing (or just
// the atomic operation).
#include "runtime/hooks/hooks.h"

#include "arch/arch.h"
#include "runtime/base/modules.h"
#include "runtime/cover/cover.h"
#include "runtime/cover/group_check.h"
#include "runtime/detect/heap/heap.h"
#include "runtime/detect/races/races.h"
#include "runtime/record/learn_points.h"
#include "runtime/record/stack_frames.h"
#include "runtime/sched/observer.h"
#include "runtime/sched/scheduler.h"

using namespace snag;
using namespace snag::rt;

namespace snag::rt {

namespace {

#define SNAG_PC reinterpret_cast<std::uint64_t>(__builtin_return_address(0))

__attribute__((noinline)) void plain_point(const void* address, std::uint64_t size, bool write,
                                           std::uint64_t pc) {
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

// What an access may need, but mostly does not.
__attribute__((noinline)) void full_access(const void* address, std::uint64_t size, bool write,
                                           std::uint64_t pc) {
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

__attribute__((noinline)) void doubtful_access(const void* address, std::uint64_t size, bool write,
                                               std::uint64_t pc) {
  if (!heap_range_is_fine(address, size)) heap_check(address, size, write, pc);
  if (race_detection) race_access(address, size, write, pc);
}

// Of its own, so that the hook itself needs no frame when it only measures.
template <std::uint64_t size, bool write>
__attribute__((noinline)) void controlled_access(const void* address, std::uint64_t range,
                                                 std::uint64_t pc) {
  const std::uint64_t bytes = size == 0 ? range : size;
  bool full = ++sched.current->quiet_accesses > quiet_limit;
  if (points != Points::kSync)
    full = full || learning || points == Points::kAll || (*pc_flags(pc) & kPointPc);
  if (__builtin_expect(full, 0)) return full_access(address, bytes, write, pc);
  const auto a = reinterpret_cast<std::uint64_t>(address);
  if constexpr (size == 1 || size == 2 || size == 4 || size == 8) {
    RaceCell** const leaves = race_leaves;
    if (!leaves) {  // race detection is off
      if (__builtin_expect(heap_may_mind(address, size), 0))
        doubtful_access(address, size, write, pc);
      return;
    }
    RaceCell* cell = race_cell<size>(leaves, a);
    if (cell && race_is_known<size, write>(cell, a)) return;  // nothing new for the heap either
    if (__builtin_expect(!cell || heap_may_mind(address, size), 0))
      return doubtful_access(address, size, write, pc);
    // (This thread creates all later threads.)
    if (sched.thread_count != 1) return race_new<size, write>(cell, a, pc);
  } else {
    if (__builtin_expect(!heap_range_is_fine(address, bytes), 0))
      return doubtful_access(address, bytes, write, pc);
    if (race_detection) race_range(a, bytes, write, pc);
  }
}

// Inline, and nothing comes after a call: the usual access saves no registers.
template <std::uint64_t size, bool write>
[[gnu::always_inline]] inline void plain_access(const void* address, std::uint64_t pc) {
  if (__builtin_expect(hook_mode == HookMode::kCovering, 1))
    return cover_access<size>(address, write ? kWrites : kReads, pc);
  if (hook_mode == HookMode::kNative) return;
  controlled_access<size, write>(address, size, pc);
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

void access_range(const void* address, std::uint64_t size, bool write, std::uint64_t pc) {
  if (size == 0) return;
  if (hook_mode == HookMode::kCovering)
    return cover_range(address, size, write ? kWrites : kReads, pc);
  if (hook_mode == HookMode::kNative) return;
  if (write) return controlled_access<0, true>(address, size, pc);
  controlled_access<0, false>(address, size, pc);
}

}  // namespace snag::rt

#define SNAG_HOOK extern "C" __attribute__((visibility("default"), aligned(64)))

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

// ---- The same in groups: see protocol/access_groups.h. ----

// By themselves, which is how their places become known.
[[gnu::always_inline]] inline void may_know(GroupMember* first, std::uint64_t accesses,
                                            std::uint64_t bytes, std::uint64_t pc) {
  if (hook_mode == HookMode::kCovering) know_members(first, accesses * ((bytes + 7) / 8), pc);
}
template <std::uint64_t size, bool write>
[[gnu::always_inline]] inline void member_access(void* address, GroupMember* member,
                                                 std::uint64_t pc) {
  plain_access<size, write>(address, pc);
  may_know(member, 1, size, pc);
}
#define SNAG_MEMBER_HOOKS(size)                                     \
  SNAG_HOOK void __snag_read##size(void* a, GroupMember* member) {  \
    member_access<size, false>(a, member, SNAG_PC);                 \
  }                                                                 \
  SNAG_HOOK void __snag_write##size(void* a, GroupMember* member) { \
    member_access<size, true>(a, member, SNAG_PC);                  \
  }
SNAG_MEMBER_HOOKS(4)
SNAG_MEMBER_HOOKS(8)
SNAG_MEMBER_HOOKS(16)

SNAG_HOOK void __snag_read_range(void* a, unsigned long size, GroupMember* member) {
  access_range(a, size, false, SNAG_PC);
  may_know(member, 1, size, SNAG_PC);
}
SNAG_HOOK void __snag_write_range(void* a, unsigned long size, GroupMember* member) {
  access_range(a, size, true, SNAG_PC);
  may_know(member, 1, size, SNAG_PC);
}
// (Called with as many addresses as the name says; the rest is of no meaning, and not looked at.)
SNAG_HOOK void __snag_group5(GroupMember* next, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                             std::uint64_t d, std::uint64_t e) {
  const std::uint64_t bases[kMaxGroupBases] = {a, b, c, d, e};
  cover_members(next, bases);
}
#define SNAG_GROUP_HOOK(n)                                                                  \
  SNAG_HOOK void __snag_group##n(GroupMember*, std::uint64_t, std::uint64_t, std::uint64_t, \
                                 std::uint64_t, std::uint64_t)                              \
      __attribute__((alias("__snag_group5")));
SNAG_GROUP_HOOK(1)
SNAG_GROUP_HOOK(2)
SNAG_GROUP_HOOK(3)
SNAG_GROUP_HOOK(4)

SNAG_HOOK void __tsan_read_range(void* a, unsigned long size) {
  access_range(a, size, false, SNAG_PC);
}
SNAG_HOOK void __tsan_write_range(void* a, unsigned long size) {
  access_range(a, size, true, SNAG_PC);
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

// ---- memcpy and its kin: g++ calls them through the linker's --wrap, clang through the __tsan_
// names. ----

extern "C" void* __real_memcpy(void*, const void*, std::size_t);
extern "C" void* __real_memmove(void*, const void*, std::size_t);
extern "C" void* __real_memset(void*, int, std::size_t);

#define SNAG_MEMORY_HOOKS(prefix)                                                 \
  SNAG_HOOK void* prefix##memcpy(void* to, const void* from, std::size_t size) {  \
    access_range(from, size, false, SNAG_PC);                                     \
    access_range(to, size, true, SNAG_PC);                                        \
    return __real_memcpy(to, from, size);                                         \
  }                                                                               \
  SNAG_HOOK void* prefix##memmove(void* to, const void* from, std::size_t size) { \
    access_range(from, size, false, SNAG_PC);                                     \
    access_range(to, size, true, SNAG_PC);                                        \
    return __real_memmove(to, from, size);                                        \
  }                                                                               \
  SNAG_HOOK void* prefix##memset(void* to, int value, std::size_t size) {         \
    access_range(to, size, true, SNAG_PC);                                        \
    return __real_memset(to, value, size);                                        \
  }
SNAG_MEMORY_HOOKS(__wrap_)
SNAG_MEMORY_HOOKS(__tsan_)

// Of members of groups.
SNAG_HOOK void* __snag_memcpy(void* to, const void* from, std::size_t size, GroupMember* member) {
  access_range(from, size, false, SNAG_PC);
  access_range(to, size, true, SNAG_PC);
  may_know(member, 2, size, SNAG_PC);
  return __real_memcpy(to, from, size);
}
SNAG_HOOK void* __snag_memmove(void* to, const void* from, std::size_t size, GroupMember* member) {
  access_range(from, size, false, SNAG_PC);
  access_range(to, size, true, SNAG_PC);
  may_know(member, 2, size, SNAG_PC);
  return __real_memmove(to, from, size);
}
SNAG_HOOK void* __snag_memset(void* to, int value, std::size_t size, GroupMember* member) {
  access_range(to, size, true, SNAG_PC);
  may_know(member, 1, size, SNAG_PC);
  return __real_memset(to, value, size);
}

// ---- Atomics. ----

namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using u128 = unsigned __int128;

// The native operations. Stronger orders than asked for are allowed, and cost nothing on x86-64 but
// for stores.
template <class T>
T native_load(const volatile T* a) {
  return __atomic_load_n(a, __ATOMIC_SEQ_CST);
}
template <class T>
void native_store(volatile T* a, T v, int order) {
  if (order == __ATOMIC_SEQ_CST) {
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST);
  } else {
    __atomic_store_n(a, v, __ATOMIC_RELEASE);
  }
}
template <class T>
bool native_cas(volatile T* a, T* expected, T desired) {
  return __atomic_compare_exchange_n(a, expected, desired, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

// 16 bytes: the compiler would call libatomic, on which the runtime must not depend.
template <>
bool native_cas(volatile u128* a, u128* expected, u128 desired) {
  return compare_exchange_16(a, expected, desired);
}
template <>
u128 native_load(const volatile u128* a) {
  u128 value = 0;
  native_cas(const_cast<volatile u128*>(a), &value, value);
  return value;
}
template <>
void native_store(volatile u128* a, u128 v, int) {
  u128 old = native_load(a);
  while (!native_cas(a, &old, v)) {
  }
}

template <class T>
T load(const volatile T* a, int order, std::uint64_t pc) {
  if (hook_mode == HookMode::kNative) return native_load(a);
  if (hook_mode == HookMode::kCovering) {
    const T value = native_load(a);
    cover_atomic(a, sizeof(T), kReads, pc);
    return value;
  }
  quick_step(OpKind::kAtomicLoad, a, sizeof(T), pc);
  heap_check(a, sizeof(T), false, pc, true);
  const T value = *a;
  note_read(pc, reinterpret_cast<std::uint64_t>(a));
  observe_access(AccessKind::kAtomicRead, a, sizeof(T), pc);
  if (race_detection) race_atomic_load(a, sizeof(T), order, pc);
  return value;
}

template <class T>
void store(volatile T* a, T v, int order, std::uint64_t pc) {
  if (hook_mode == HookMode::kNative) return native_store(a, v, order);
  if (hook_mode == HookMode::kCovering) {
    cover_atomic(a, sizeof(T), kWrites, pc);
    return native_store(a, v, order);
  }
  quick_step(OpKind::kAtomicStore, a, sizeof(T), pc);
  heap_check(a, sizeof(T), true, pc, true);
  *a = v;
  note_write();
  observe_access(AccessKind::kAtomicWrite, a, sizeof(T), pc);
  if (race_detection) race_atomic_store(a, sizeof(T), order, pc);
}

template <class T, class F>
T modify(volatile T* a, int order, std::uint64_t pc, F f) {
  if (!controlled) {
    T old = native_load(a);
    while (!native_cas(a, &old, f(old))) {
    }
    if (hook_mode == HookMode::kCovering) cover_atomic(a, sizeof(T), kReads | kWrites, pc);
    return old;
  }
  quick_step(OpKind::kAtomicRmw, a, sizeof(T), pc);
  heap_check(a, sizeof(T), true, pc, true);
  const T old = *a;
  const T value = f(old);
  *a = value;
  // An exchange that leaves everything as it was (a test-and-set lock that is taken) is but a look.
  if (value == old) {
    note_read(pc, reinterpret_cast<std::uint64_t>(a));
  } else {
    note_write();
  }
  observe_access(AccessKind::kAtomicModify, a, sizeof(T), pc);
  if (race_detection) race_atomic_modify(a, sizeof(T), order, pc);
  return old;
}

template <class T>
bool compare_exchange(volatile T* a, T* expected, T desired, int order, int failure_order,
                      std::uint64_t pc) {
  if (!controlled) {
    const bool done = native_cas(a, expected, desired);
    if (hook_mode == HookMode::kCovering)
      cover_atomic(a, sizeof(T), done ? kReads | kWrites : kReads, pc);
    return done;
  }
  quick_step(OpKind::kAtomicRmw, a, sizeof(T), pc);
  heap_check(a, sizeof(T), true, pc, true);
  const T old = *a;
  if (old == *expected) {
    *a = desired;
    note_write();
    observe_access(AccessKind::kAtomicModify, a, sizeof(T), pc);
    if (race_detection) race_atomic_modify(a, sizeof(T), order, pc);
    return true;
  }
  *expected = old;
  note_read(pc, reinterpret_cast<std::uint64_t>(a));
  observe_access(AccessKind::kCompareFailed, a, sizeof(T), pc);
  if (race_detection) race_atomic_load(a, sizeof(T), failure_order, pc);
  return false;
}

// g++ leaves to the hook what it does to the expected value, which is a variable of the program.
template <class T>
bool compare_exchange_variable(volatile T* a, T* expected, T desired, int order, int failure_order,
                               std::uint64_t pc) {
  plain_access<sizeof(T), false>(expected, pc);
  const bool done = compare_exchange(a, expected, desired, order, failure_order, pc);
  if (!done) access_range(expected, sizeof(T), true, pc);
  return done;
}

}  // namespace

#define SNAG_ATOMIC_RMW(bits, T, name, expression)                                 \
  SNAG_HOOK T __tsan_atomic##bits##_##name(volatile T* a, T v, int order) {        \
    return modify(a, order, SNAG_PC, [v](T old) -> T { return (T)(expression); }); \
  }
#define SNAG_ATOMIC_HOOKS(bits, T)                                                             \
  SNAG_HOOK T __tsan_atomic##bits##_load(const volatile T* a, int order) {                     \
    return load(a, order, SNAG_PC);                                                            \
  }                                                                                            \
  SNAG_HOOK void __tsan_atomic##bits##_store(volatile T* a, T v, int order) {                  \
    store(a, v, order, SNAG_PC);                                                               \
  }                                                                                            \
  SNAG_ATOMIC_RMW(bits, T, exchange, ((void)old, v))                                           \
  SNAG_ATOMIC_RMW(bits, T, fetch_add, old + v)                                                 \
  SNAG_ATOMIC_RMW(bits, T, fetch_sub, old - v)                                                 \
  SNAG_ATOMIC_RMW(bits, T, fetch_and, old& v)                                                  \
  SNAG_ATOMIC_RMW(bits, T, fetch_or, old | v)                                                  \
  SNAG_ATOMIC_RMW(bits, T, fetch_xor, old ^ v)                                                 \
  SNAG_ATOMIC_RMW(bits, T, fetch_nand, ~(old & v))                                             \
  SNAG_HOOK int __tsan_atomic##bits##_compare_exchange_strong(volatile T* a, T* expected, T v, \
                                                              int order, int failure) {        \
    return compare_exchange_variable(a, expected, v, order, failure, SNAG_PC);                 \
  }                                                                                            \
  SNAG_HOOK int __tsan_atomic##bits##_compare_exchange_weak(volatile T* a, T* expected, T v,   \
                                                            int order, int failure) {          \
    return compare_exchange_variable(a, expected, v, order, failure, SNAG_PC);                 \
  }                                                                                            \
  SNAG_HOOK T __tsan_atomic##bits##_compare_exchange_val(volatile T* a, T expected, T v,       \
                                                         int order, int failure) {             \
    compare_exchange(a, &expected, v, order, failure, SNAG_PC);                                \
    return expected;                                                                           \
  }
SNAG_ATOMIC_HOOKS(8, u8)
SNAG_ATOMIC_HOOKS(16, u16)
SNAG_ATOMIC_HOOKS(32, u32)
SNAG_ATOMIC_HOOKS(64, u64)
SNAG_ATOMIC_HOOKS(128, u128)

SNAG_HOOK void __tsan_atomic_thread_fence(int order) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (controlled && race_detection) clock_fence(sched.current->tid, order);
}
SNAG_HOOK void __tsan_atomic_signal_fence(int) {}
