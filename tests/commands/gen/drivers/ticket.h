// Numbers are given out under a lock; the last one is looked at without it. All a caller can see is
// a data race, in a read that compilers leave out if nobody wants its result.
#pragma once

#include <mutex>

class Ticket {
 public:
  int next() {
    std::lock_guard lock(mutex_);
    return ++last_;
  }
  int last() const {
#ifdef FIXED
    std::lock_guard lock(mutex_);
#endif
    return last_;
  }

 private:
  mutable std::mutex mutex_;
  int last_ = 0;
};
