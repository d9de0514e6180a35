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

// A set of numbers, without an allocation. Full is as good as "everything".
class SmallSet {
 public:
  bool has(std::uint64_t value) const {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (values_[i] == value) return true;
    }
    return is_full_;
  }
  void add(std::uint64_t value) {
    if (has(value)) return;
    if (count_ == kSize) {
      is_full_ = true;
    } else {
      values_[count_++] = value;
    }
  }

 private:
  static constexpr std::uint32_t kSize = 64;
  std::uint64_t values_[kSize];
  std::uint32_t count_ = 0;
  bool is_full_ = false;
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

// Whether the waiting thread may know something that the signalling thread did before the signal
// and told by none of its earlier signals.
bool may_know(const Step* log, std::uint64_t wait, std::uint64_t signal) {
  const Tid waiter = log[wait].thread, signaller = log[signal].thread;
  const std::uint64_t condition = log[wait].object;
  std::uint64_t begin = begin_of_search(wait);
  bool is_known = begin == 0;  // where what is new begins
  for (std::uint64_t i = signal; i-- > begin_of_search(wait);) {
    if (log[i].thread != signaller) continue;
    const bool creates = log[i].kind == OpKind::kThreadCreate && log[i].object == waiter + 1ull;
    if (!creates && !(is_signal(log[i]) && log[i].object == condition)) continue;
    begin = i + 1;
    is_known = true;
    break;
  }
  if (!is_known) return true;
  SmallSet threads, objects;
  threads.add(signaller);
  for (std::uint64_t i = begin; i < wait; ++i) {
    const Step& step = log[i];
    if (step.object == 0 || step.object == condition) continue;
    if (!threads.has(step.thread)) {
      if (!objects.has(step.object)) continue;
      threads.add(step.thread);
    }
    if (threads.has(waiter)) return true;
    if (step.kind == OpKind::kThreadCreate) {
      threads.add(step.object - 1);
    } else if (op_access(step.kind) == 'w') {
      objects.add(step.object);
    }
  }
  return threads.has(waiter);
}

}  // namespace

UnheardSignal find_unheard_signal(const Step* log, std::uint64_t wait, Tid signaller) {
  UnheardSignal result;
  if (signaller == log[wait].thread) return result;
  result.signal = find_signal(log, wait, signaller);
  if (!result.found()) return result;
  find_old_read(log, wait, &result);
  if (result.read == kNotInLog && may_know(log, wait, result.signal)) result.signal = kNotInLog;
  return result;
}

}  // namespace snag::rt
