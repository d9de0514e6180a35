// A map with a lock around every method. Methods that take another such map lock both, their own
// first: two threads that do this the other way round wait for each other. With CORRECT both locks
// are taken together.
// In the paper: SynchronizedMap, a deadlock.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace study {

class SynchronizedMap {
 public:
  SynchronizedMap() = default;

  void put(int key, const std::string& value) {
    std::lock_guard lock(mutex_);
    entries_[key] = value;
  }
  std::optional<std::string> get(int key) const {
    std::lock_guard lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end()) return std::nullopt;
    return found->second;
  }
  bool contains_key(int key) const {
    std::lock_guard lock(mutex_);
    return entries_.count(key) != 0;
  }
  bool contains_value(const std::string& value) const {
    std::lock_guard lock(mutex_);
    for (const auto& [key, held] : entries_) {
      if (held == value) return true;
    }
    return false;
  }
  bool remove(int key) {
    std::lock_guard lock(mutex_);
    return entries_.erase(key) == 1;
  }
  void clear() {
    std::lock_guard lock(mutex_);
    entries_.clear();
  }
  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return entries_.size();
  }
  std::vector<int> keys() const {
    std::lock_guard lock(mutex_);
    std::vector<int> result;
    for (const auto& [key, value] : entries_) result.push_back(key);
    return result;
  }

  void put_all(const SynchronizedMap& other) {
    if (&other == this) return;
    const Both lock(*this, other);
    for (const auto& [key, value] : other.entries_) entries_[key] = value;
  }
  bool equals(const SynchronizedMap& other) const {
    if (&other == this) return true;
    const Both lock(*this, other);
    return entries_ == other.entries_;
  }

 private:
#ifdef CORRECT
  struct Both {
    Both(const SynchronizedMap& a, const SynchronizedMap& b) : lock(a.mutex_, b.mutex_) {}
    std::scoped_lock<std::mutex, std::mutex> lock;
  };
#else
  struct Both {
    Both(const SynchronizedMap& a, const SynchronizedMap& b) : first(a.mutex_), second(b.mutex_) {}
    std::lock_guard<std::mutex> first, second;
  };
#endif

  mutable std::mutex mutex_;
  std::map<int, std::string> entries_;
};

}  // namespace study
