// A cache that loads what it does not have. Threads that want a value which is being loaded wait
// for that load (by its future) instead of loading it again.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "waiting.h"

template <class Key, class Value>
class LoadingCache {
 public:
  using Loader = std::function<Value(const Key&)>;

  explicit LoadingCache(Loader loader) : loader_(std::move(loader)) {}

  // What the loader throws reaches all who waited for this load, and is not kept.
  Value get(const Key& key) {
    std::promise<Value> promise;
    std::shared_future<Value> value;
    long load = 0;
    {
      std::lock_guard lock(mutex_);
      auto entry = entries_.find(key);
      if (entry == entries_.end()) {
        load = ++loads_;
        entries_[key] = {promise.get_future().share(), load};
      } else {
        value = entry->second.value;
      }
    }
    if (load != 0) return run_loader(key, load, promise);
    Waiting waiting(waiters_);
    return value.get();
  }

  // The value if it is there, without loading and waiting.
  std::optional<Value> get_if_present(const Key& key) const {
    std::lock_guard lock(mutex_);
    auto entry = entries_.find(key);
    if (entry == entries_.end()) return std::nullopt;
    if (entry->second.value.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
      return std::nullopt;
    }
    return entry->second.value.get();
  }

  // Takes the place of what is there or is being loaded.
  void put(const Key& key, Value value) {
    std::promise<Value> promise;
    promise.set_value(std::move(value));
    std::lock_guard lock(mutex_);
    entries_[key] = {promise.get_future().share(), ++loads_};
  }

  // A load that is under way still reaches those who wait for it, but is not kept.
  void invalidate(const Key& key) {
    std::lock_guard lock(mutex_);
    entries_.erase(key);
  }

  int waiters() const { return waiters_; }

 private:
  struct Entry {
    std::shared_future<Value> value;
    long load;  // its number: the same key may have been invalidated and loaded again meanwhile
  };

  Value run_loader(const Key& key, long load, std::promise<Value>& promise) {
    try {
      Value value = loader_(key);
      promise.set_value(value);
      return value;
    } catch (...) {
      {
        std::lock_guard lock(mutex_);
        auto entry = entries_.find(key);
        if (entry != entries_.end() && entry->second.load == load) entries_.erase(entry);
      }
      promise.set_exception(std::current_exception());
      throw;
    }
  }

  const Loader loader_;
  mutable std::mutex mutex_;
  std::map<Key, Entry> entries_;
  long loads_ = 0;
  std::atomic<int> waiters_ = 0;
};
