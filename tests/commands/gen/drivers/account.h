// Two accounts that lock each other: a deadlock. With FIXED, both locks are taken at once.
#pragma once

#include <mutex>

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}
  void transfer(Account& other, int amount) {
    if (&other == this) return;
#ifdef FIXED
    std::scoped_lock lock(mutex_, other.mutex_);
#else
    std::lock_guard first(mutex_);
    std::lock_guard second(other.mutex_);
#endif
    balance_ -= amount;
    other.balance_ += amount;
  }
  int balance() const {
    std::lock_guard lock(mutex_);
    return balance_;
  }

 private:
  mutable std::mutex mutex_;
  int balance_;
};
