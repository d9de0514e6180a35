// Waiting on a word in memory that is shared with another process.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>

namespace snag {

// Returns when the word no longer holds `seen`, on a wake-up, a signal, or after the timeout.
template <class Word>
void futex_wait(const std::atomic<Word>& word, Word seen, std::chrono::milliseconds timeout) {
  static_assert(sizeof(word) == sizeof(std::uint32_t));
  timespec relative{};
  relative.tv_sec = static_cast<time_t>(timeout.count() / 1000);
  relative.tv_nsec = static_cast<long>(timeout.count() % 1000) * 1'000'000;
  syscall(SYS_futex, &word, FUTEX_WAIT, static_cast<std::uint32_t>(seen), &relative, nullptr, 0);
}

template <class Word>
void futex_wake(const std::atomic<Word>& word) {
  static_assert(sizeof(word) == sizeof(std::uint32_t));
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace snag
