// Implements runtime/hooks/access.h: the hooks for atomic operations. In a program that runs by
// itself they do just the operation.
#include "arch/arch.h"
#include "runtime/hooks/access.h"
#include "runtime/sched/observer.h"

using namespace snag;
using namespace snag::rt;

namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using u128 = unsigned __int128;

// The native operations. Stronger orders than requested are allowed, and cost nothing on x86-64
// except for stores.
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
  // An exchange that changes nothing (of a test-and-set lock that is taken) counts as a read.
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
                      std::uint64_t pc, bool weak = false) {
  if (!controlled) {
    const bool done = native_cas(a, expected, desired);
    if (hook_mode == HookMode::kCovering)
      cover_atomic(a, sizeof(T), done ? kReads | kWrites : kReads, pc);
    return done;
  }
  quick_step(OpKind::kAtomicRmw, a, sizeof(T), pc);
  heap_check(a, sizeof(T), true, pc, true);
  const T old = *a;
  if (old == *expected && !(weak && fails_spuriously(pc))) {
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

// g++ lets the hook access the expected value, which is a variable of the program.
template <class T>
bool compare_exchange_variable(volatile T* a, T* expected, T desired, int order, int failure_order,
                               std::uint64_t pc, bool weak = false) {
  plain_access<sizeof(T), false>(expected, pc);
  const bool done = compare_exchange(a, expected, desired, order, failure_order, pc, weak);
  if (!done) range_access(expected, sizeof(T), true, pc);
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
    return compare_exchange_variable(a, expected, v, order, failure, SNAG_PC, true);           \
  }                                                                                            \
  SNAG_HOOK T __tsan_atomic##bits##_compare_exchange_val(volatile T* a, T expected, T v,       \
                                                         int order, int failure) {             \
    compare_exchange(a, &expected, v, order, failure, SNAG_PC);                                \
    return expected;                                                                           \
  }
// For plugins/clang/clang_weak_exchange.h. `expected` is a temporary variable of the plugin's.
#define SNAG_WEAK_EXCHANGE(bits, T)                                                          \
  SNAG_HOOK int __snag_atomic##bits##_compare_exchange_weak(volatile T* a, T* expected, T v, \
                                                            int order, int failure) {        \
    return compare_exchange(a, expected, v, order, failure, SNAG_PC, true);                  \
  }
SNAG_WEAK_EXCHANGE(8, u8)
SNAG_WEAK_EXCHANGE(16, u16)
SNAG_WEAK_EXCHANGE(32, u32)
SNAG_WEAK_EXCHANGE(64, u64)
SNAG_WEAK_EXCHANGE(128, u128)
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
