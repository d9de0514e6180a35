// Waits on a word in memory that is shared with another process: arch/arch.h, with types.
#pragma once

#include <time.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>

#include "arch/arch.h"

namespace snag {

// Returns when the word no longer holds `seen`, on a wake-up, a signal, or after the timeout.
template <class Word>
void futex_wait(const std::atomic<Word>& word, Word seen, std::chrono::milliseconds timeout) {
  static_assert(sizeof(word) == sizeof(std::uint32_t));
  timespec relative{};
  relative.tv_sec = static_cast<time_t>(timeout.count() / 1000);
  relative.tv_nsec = static_cast<long>(timeout.count() % 1000) * 1'000'000;
  futex_wait(static_cast<const void*>(&word), static_cast<std::uint32_t>(seen), &relative);
}

template <class Word>
void futex_wake(const std::atomic<Word>& word) {
  static_assert(sizeof(word) == sizeof(std::uint32_t));
  futex_wake(static_cast<const void*>(&word), INT_MAX);
}

}  // namespace snag
