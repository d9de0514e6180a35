#include "runtime/detect/locks/unheard_signal.h"

namespace snag::rt {
namespace {

// How far the search goes back. A signal that is older than this counts as seen.
constexpr std::uint64_t kMostSteps = 20'000;
// The steps of a thread's own, before its wait, among which it reads what it waits for.
constexpr std::uint32_t kMostOwnSteps = 32;

bool is_signal(const Step& step) {
  return step.kind == OpKind::kCondSignal || step.kind == OpKind::kCondBroadcast;
}
bool reads(const Step& step) {
  return step.kind == OpKind::kRead || step.kind == OpKind::kAtomicLoad;
}
bool writes(const Step& step) {
  return step.kind == OpKind::kWrite || step.kind == OpKind::kAtomicStore ||
         step.kind == OpKind::kAtomicRmw;
}
bool waits(const Step& step) {
  return step.kind == OpKind::kCondWait || step.kind == OpKind::kTimeout ||
         step.kind == OpKind::kSleep;
}

// A set of addresses, without an allocation. It has room for what find_old_read() looks at.
class SmallSet {
 public:
  bool has(std::uint64_t value) const {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (values_[i] == value) return true;
    }
    return false;
  }
  void add(std::uint64_t value) {
    if (!has(value)) values_[count_++] = value;
  }

 private:
  std::uint64_t values_[kMostOwnSteps];
  std::uint32_t count_ = 0;
};

std::uint64_t begin_of_search(std::uint64_t wait) {
  return wait > kMostSteps ? wait - kMostSteps : 0;
}

// The signal that came too early: later than the thread's previous wait, which it would have ended.
std::uint64_t find_signal(const Step* log, std::uint64_t wait, Tid signaller) {
  const Step& end = log[wait];
  for (std::uint64_t i = wait; i-- > begin_of_search(wait);) {
    if (log[i].object != end.object) continue;
    if (log[i].thread == end.thread && log[i].kind == OpKind::kCondWait) break;
    if (is_signal(log[i])) return log[i].thread == signaller ? i : kNotInLog;
  }
  return kNotInLog;
}

void find_old_read(const Step* log, std::uint64_t wait, UnheardSignal* result) {
  const Tid waiter = log[wait].thread, signaller = log[result->signal].thread;
  SmallSet seen;
  std::uint32_t own = 0;
  for (std::uint64_t i = wait; i-- > begin_of_search(wait) && own < kMostOwnSteps;) {
    if (log[i].thread != waiter) continue;
    if (waits(log[i])) return;
    ++own;
    // The address, not the word: another variable may be its neighbour.
    const std::uint64_t address = address_of(log[i]);
    if (!is_memory_access(log[i].kind) || seen.has(address)) continue;
    seen.add(address);
    if (!reads(log[i])) continue;
    for (std::uint64_t k = i + 1; k < result->signal; ++k) {
      if (log[k].thread != signaller || address_of(log[k]) != address || !writes(log[k])) continue;
      result->read = i;
      result->written = k;
      return;
    }
  }
}

// Whether the signal may tell of something that was changed under the mutex: its thread has used
// the mutex since its signal before, or held it. What the log does not go back to counts as use.
bool tells_of_guarded_data(const Step* log, std::uint64_t wait, std::uint64_t signal,
                           std::uint64_t mutex) {
  const Tid signaller = log[signal].thread;
  for (std::uint64_t i = signal + 1; i < wait; ++i) {
    if (log[i].thread != signaller) continue;
    // What releases the mutex shows that it was held; a wait may be for another condition variable.
    if (log[i].kind == OpKind::kCondWait) return true;
    if (log[i].object != mutex) continue;
    if (log[i].kind == OpKind::kMutexUnlock) return true;
    break;
  }
  for (std::uint64_t i = signal; i-- > begin_of_search(wait);) {
    if (log[i].thread != signaller) continue;
    if (log[i].object == mutex) return true;
    if (is_signal(log[i]) && log[i].object == log[wait].object) return false;
  }
  return begin_of_search(wait) > 0;
}

// Whether the thread has waited for the condition variable before.
bool has_waited_before(const Step* log, std::uint64_t wait) {
  for (std::uint64_t i = wait; i-- > begin_of_search(wait);) {
    if (log[i].thread == log[wait].thread && log[i].kind == OpKind::kCondWait &&
        log[i].object == log[wait].object)
      return true;
  }
  return false;
}

}  // namespace

UnheardSignal find_unheard_signal(const Step* log, std::uint64_t wait, Tid signaller,
                                  std::uint64_t mutex) {
  UnheardSignal result;
  if (signaller == log[wait].thread) return result;
  result.signal = find_signal(log, wait, signaller);
  if (!result.found()) return result;
  find_old_read(log, wait, &result);
  if (result.read == kNotInLog || tells_of_guarded_data(log, wait, result.signal, mutex) ||
      has_waited_before(log, wait))
    return {};
  return result;
}

}  // namespace snag::rt
