// A map whose size is counted outside of its lock: no data race, no exception; only the results
// are wrong. With FIXED, it is counted inside.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>

class StaleMap {
 public:
  bool put(int key, const std::string& value) {
    std::unique_lock lock(mutex_);
    const bool is_new = items_.insert_or_assign(key, value).second;
#ifndef FIXED
    lock.unlock();
#endif
    if (is_new) size_ = size_ + 1;
    return is_new;
  }
  bool remove(int key) {
    std::unique_lock lock(mutex_);
    const bool was_there = items_.erase(key) == 1;
#ifndef FIXED
    lock.unlock();
#endif
    if (was_there) size_ = size_ - 1;
    return was_there;
  }
  std::string get(int key) const {
    std::lock_guard lock(mutex_);
    const auto found = items_.find(key);
    return found == items_.end() ? "" : found->second;
  }
  int size() const {
    std::lock_guard lock(mutex_);
    return size_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<int, std::string> items_;
  std::atomic<int> size_ = 0;
};
