// Methods that call each other, or a function behind them all.
#pragma once

#include <immintrin.h>

#include <atomic>
#include <mutex>
#include <stdexcept>

// first() and second() call inner(), which is small enough to become a part of them; where it
// throws, nothing reports its end.
class Nested {
 public:
  int first() {
    const int before = inner(false);
    try {
      inner(true);
    } catch (const std::runtime_error&) {
    }
    return before;
  }
  int second() { return inner(false) + inner(false); }
  int inner(bool throws) {
    calls_.fetch_add(1);
    if (throws) throw std::runtime_error("as was asked for");
    return 0;
  }

 private:
  std::atomic<int> calls_{0};
};

// One race, which all methods have.
class OneRace {
 public:
  void add(int number) { note(number); }
  void remove(int number) { note(-number); }
  int count() {
    note(0);
    return 0;
  }
  void clear() {
    std::lock_guard lock(mutex_);
    note(1);
  }

 private:
  void note(int by) { changes_ += by; }

  std::mutex mutex_;
  int changes_ = 0;
};

// Functions that are nowhere but in their callers.
extern inline __attribute__((gnu_inline, always_inline)) int twice(int number) {
  return 2 * number;
}

class Spinner {
 public:
  void spin() { _mm_pause(); }
  int doubled(int number) { return twice(number); }
};
