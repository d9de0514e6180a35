// When the order of two operations of different threads can matter.
//
// Three relations, from coarse to careful. Each contains the one before.
//
//   conflicts (ops.h)  same object, at least one of them changes it. For sampling strategies, which
//                      ask at every step; a missed dependence costs them nothing but luck.
//   dependent          also hidden objects: the next thread number, and the mutex that a wait for a
//                      condition releases. For the systematic search, whose claim to have tried
//                      every order rests on it. The search sees what threads are about to do, so it
//                      notices by itself when a step wakes or unblocks another thread.
//   dependent_in_log   also operations whose effects a log does not show. For shrinking, which
//                      knows nothing but the log.
#pragma once

#include <cstdint>

#include "protocol/ops.h"

namespace snag {

// The objects that an operation touches: its own, and at most one hidden object.
struct Touch {
  std::uint64_t object = 0;  // 0: none
  bool writes = false;
};
struct Touches {
  Touch at[2];
};

// Creating a thread takes the next thread number.
inline constexpr std::uint64_t kThreadNumbers = ~std::uint64_t{0};
// A wait for a condition releases a mutex, but the log does not say which. It counts as a write to
// an object that every mutex operation reads.
inline constexpr std::uint64_t kAnyMutex = ~std::uint64_t{1};

constexpr bool uses_mutex(OpKind kind) {
  return kind == OpKind::kMutexLock || kind == OpKind::kMutexTryLock ||
         kind == OpKind::kMutexTimedLock || kind == OpKind::kMutexUnlock;
}

// `timeout`: the operation is a wait that times out.
constexpr Touches touches(OpKind kind, std::uint64_t object, bool timeout = false) {
  Touches t;
  if (kind == OpKind::kThreadCreate) {
    t.at[0] = {kThreadNumbers, true};
    return t;
  }
  if (object != 0 && (op_access(kind) != '-' || timeout))
    t.at[0] = {object, op_access(kind) == 'w' || timeout};
  if (kind == OpKind::kCondWait || kind == OpKind::kTimeout) t.at[1] = {kAnyMutex, true};
  if (uses_mutex(kind)) t.at[1] = {kAnyMutex, false};
  return t;
}

constexpr bool dependent(const Touches& a, const Touches& b) {
  for (const Touch& x : a.at) {
    for (const Touch& y : b.at) {
      if (x.object != 0 && x.object == y.object && (x.writes || y.writes)) return true;
    }
  }
  return false;
}

// Operations that do more than the log says: a wait for a condition releases a mutex, a timeout
// advances the clock, and the effects of the outside world are unknown.
constexpr bool has_hidden_effects(OpKind kind) {
  switch (kind) {
    case OpKind::kCondWait:
    case OpKind::kBarrierWait:
    case OpKind::kSleep:
    case OpKind::kTimeout:
    case OpKind::kExternal:
    case OpKind::kCancel:
    case OpKind::kSignal:
    case OpKind::kEvent:
      return true;
    default:
      return false;
  }
}

constexpr bool dependent_in_log(const Op& a, const Op& b) {
  return has_hidden_effects(a.kind) || has_hidden_effects(b.kind) ||
         dependent(touches(a.kind, a.object), touches(b.kind, b.object));
}

}  // namespace snag
