// A correct class with methods that are hard on whoever calls them: one ends the process, one never
// returns, one starts threads, one waits for another, one throws, one crashes, one is different
// each time. Nothing may be reported.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>

class Difficult {
 public:
  void leave() { std::exit(0); }
  void crash() { std::abort(); }
  void spin_for_ever() {
    volatile bool is_waiting = true;
    while (is_waiting) {
    }
  }
  int fail(int value) {
    if (value < 2) throw std::invalid_argument("less than two");
    return value;
  }
  int compute(int value) {
    std::thread worker([&] {
      std::lock_guard lock(mutex_);
      sum_ += value;
    });
    worker.join();
    return value;
  }
  void put() {
    std::lock_guard lock(mutex_);
    ++tokens_;
    changed_.notify_one();
  }
  void take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return tokens_ > 0; });
    --tokens_;
  }
  int serial_number() {
    static std::atomic<int> next = 0;
    return next++;
  }
  int tokens() const {
    std::lock_guard lock(mutex_);
    return tokens_;
  }
  int quotient() const {  // of the tokens: no observer for an empty object
    std::lock_guard lock(mutex_);
    if (tokens_ == 0) std::abort();
    return 12 / tokens_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int tokens_ = 0;
  int sum_ = 0;
};
