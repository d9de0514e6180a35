// What the library needs from the kernel, without calling functions that the program, a sanitizer
// or this library itself may have replaced.
#pragma once

#include <time.h>

#include <atomic>
#include <climits>
#include <cstdint>

#include "arch/arch.h"

namespace snag::schedule {

using Word = std::atomic<std::uint32_t>;

// Returns when the word is woken or has another value, or after `nanoseconds` (-1: no limit).
inline void wait_on(Word& word, std::uint32_t value, std::int64_t nanoseconds = -1) {
  const timespec limit{static_cast<time_t>(nanoseconds / 1'000'000'000),
                       static_cast<long>(nanoseconds % 1'000'000'000)};
  futex_wait(&word, value, nanoseconds < 0 ? nullptr : &limit, FutexScope::kPrivate);
}
inline void wake_all(Word& word) { futex_wake(&word, INT_MAX, FutexScope::kPrivate); }

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
    // It is never held for long, unless its owner has lost the processor.
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
      futex_wake(&word_, 1, FutexScope::kPrivate);
  }

 private:
  Word word_{0};  // 1: held, 2: held and wanted
};

}  // namespace snag::schedule
