// What a thread is about to do at a schedule point: the vocabulary that the runtime, the strategies
// and the reports share.
#pragma once

#include <cstdint>

namespace snag {

// Threads are numbered in the order of their creation within one run; the main thread is 0.
using Tid = std::uint16_t;
inline constexpr Tid kNoTid = 0xffff;

// One row per kind: enumerator, name as printed and stored in traces, and how it conflicts with
// other operations on the same object. Names are part of the trace format: append, never rename.
//   r  only reads the object: two of these commute
//   w  changes it
//   -  touches no object that another thread could touch
#define SNAG_OP_KINDS(X)                     \
  X(kNone, "none", '-')                      \
  X(kThreadStart, "thread-start", '-')       \
  X(kThreadExit, "thread-exit", 'w')         \
  X(kThreadCreate, "thread-create", '-')     \
  X(kThreadJoin, "join", 'r')                \
  X(kRead, "read", 'r')                      \
  X(kWrite, "write", 'w')                    \
  X(kAtomicLoad, "atomic-load", 'r')         \
  X(kAtomicStore, "atomic-store", 'w')       \
  X(kAtomicRmw, "atomic-rmw", 'w')           \
  X(kFence, "fence", '-')                    \
  X(kMutexLock, "lock", 'w')                 \
  X(kMutexTryLock, "trylock", 'w')           \
  X(kMutexUnlock, "unlock", 'w')             \
  X(kRwReadLock, "read-lock", 'w')           \
  X(kRwWriteLock, "write-lock", 'w')         \
  X(kRwTryLock, "rw-trylock", 'w')           \
  X(kRwUnlock, "rw-unlock", 'w')             \
  X(kSpinLock, "spin-lock", 'w')             \
  X(kSpinUnlock, "spin-unlock", 'w')         \
  X(kCondWait, "cond-wait", 'w')             \
  X(kCondSignal, "cond-signal", 'w')         \
  X(kCondBroadcast, "cond-broadcast", 'w')   \
  X(kSemWait, "sem-wait", 'w')               \
  X(kSemTryWait, "sem-trywait", 'w')         \
  X(kSemPost, "sem-post", 'w')               \
  X(kBarrierWait, "barrier-wait", 'w')       \
  X(kOnce, "once", 'w')                      \
  X(kStaticGuard, "static-init", 'w')        \
  X(kFutexWait, "futex-wait", 'r')           \
  X(kFutexWake, "futex-wake", 'w')           \
  X(kSleep, "sleep", '-')                    \
  X(kYield, "yield", '-')                    \
  X(kTimeout, "timeout", 'w')                \
  X(kExternal, "system-call", 'w')           \
  X(kCancel, "cancel", 'w')                  \
  X(kSignal, "signal", 'w')                  \
  X(kEvent, "event", '-')                    \
  X(kMutexTimedLock, "timed-lock", 'w')      \
  X(kThreadTryJoin, "try-join", 'r')         \
  X(kFree, "free", 'w')                      \
  X(kSpuriousWakeup, "spurious-wakeup", 'w') \
  X(kOpenMp, "openmp", 'w')                  \
  X(kSpuriousFailure, "spurious-failure", '-')

enum class OpKind : std::uint8_t {
#define SNAG_ENUMERATOR(id, name, access) id,
  SNAG_OP_KINDS(SNAG_ENUMERATOR)
#undef SNAG_ENUMERATOR
      kCount
};

inline constexpr const char* kOpNames[] = {
#define SNAG_NAME(id, name, access) name,
    SNAG_OP_KINDS(SNAG_NAME)
#undef SNAG_NAME
};

inline constexpr char kOpAccess[] = {
#define SNAG_ACCESS(id, name, access) access,
    SNAG_OP_KINDS(SNAG_ACCESS)
#undef SNAG_ACCESS
};

constexpr const char* op_name(OpKind kind) { return kOpNames[static_cast<int>(kind)]; }
constexpr char op_access(OpKind kind) { return kOpAccess[static_cast<int>(kind)]; }

// Whether the operation reads or writes memory at its object; freeing a block is not one of these.
constexpr bool is_memory_access(OpKind kind) {
  return kind == OpKind::kRead || kind == OpKind::kWrite || kind == OpKind::kAtomicLoad ||
         kind == OpKind::kAtomicStore || kind == OpKind::kAtomicRmw;
}

// An operation with the object it acts on (the address in the program, 0 if none) and the program
// counter of the call, from which the tool derives the source line.
struct Op {
  constexpr Op() = default;
  constexpr Op(OpKind kind, std::uint64_t object, std::uint64_t pc, std::uint8_t offset = 0)
      : kind(kind), offset(offset), object(object), pc(pc) {}

  OpKind kind = OpKind::kNone;
  std::uint8_t offset = 0;  // memory: of the access in the word that is the object
  std::uint64_t object = 0;
  std::uint64_t pc = 0;
};

// Whether the order of the two can matter.
constexpr bool conflicts(const Op& a, const Op& b) {
  if (a.object != b.object || a.object == 0) return false;
  const char x = op_access(a.kind), y = op_access(b.kind);
  return x != '-' && y != '-' && (x == 'w' || y == 'w');
}

}  // namespace snag
