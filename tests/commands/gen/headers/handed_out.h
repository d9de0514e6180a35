// Objects that only a function of the class hands out, as a pointer; the destructor is private. The
// number is read without the lock, in a call that is optimised away where nobody wants its result.
#pragma once

#include <mutex>

#ifndef WITH_FLAGS
#error the flags of the class are missing
#endif

class HandedOut {
 public:
  static HandedOut* create() { return new HandedOut; }
  int next() {
    std::lock_guard lock(mutex_);
    return ++number_;
  }
  int peek() const { return number_; }

 private:
  HandedOut() = default;
  ~HandedOut() = default;
  std::mutex mutex_;
  int number_ = 0;
};
