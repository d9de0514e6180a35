// What the library needs of the kernel, without a detour over functions that the program, a
// sanitizer or this library itself may have replaced.
#pragma once

#include <linux/futex.h>
#include <time.h>

#include <atomic>
#include <climits>
#include <cstdint>

#include "arch/arch.h"

namespace snag::schedule {

using Word = std::atomic<std::uint32_t>;

// Returns when the word is woken or has another value, or after so many nanoseconds (if not -1).
inline void wait_on(Word& word, std::uint32_t value, std::int64_t nanoseconds = -1) {
  const timespec limit{static_cast<time_t>(nanoseconds / 1'000'000'000),
                       static_cast<long>(nanoseconds % 1'000'000'000)};
  raw_syscall(SYS_futex, as_arg(&word), FUTEX_WAIT_PRIVATE, value,
              nanoseconds < 0 ? 0 : as_arg(&limit));
}
inline void wake_all(Word& word) {
  raw_syscall(SYS_futex, as_arg(&word), FUTEX_WAKE_PRIVATE, INT_MAX);
}

// Nanoseconds of the monotonic clock.
inline std::int64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

// A lock that no interposed function and no sanitizer sees.
class Lock {
 public:
  void lock() {
    // It is never held for long, but by somebody who has lost the processor.
    constexpr int kTries = 100;
    for (int i = 0; i < kTries; ++i) {
      std::uint32_t state = 0;
      if (word_.compare_exchange_strong(state, 1, std::memory_order_acquire)) return;
      if (state == 2) break;
      relax_processor();
    }
    while (word_.exchange(2, std::memory_order_acquire) != 0) wait_on(word_, 2);
  }
  void unlock() {
    if (word_.exchange(0, std::memory_order_release) == 2)
      raw_syscall(SYS_futex, as_arg(&word_), FUTEX_WAKE_PRIVATE, 1);
  }

 private:
  Word word_{0};  // 1: held, 2: held and wanted
};

}  // namespace snag::schedule
