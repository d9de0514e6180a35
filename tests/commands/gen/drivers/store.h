// An interface, and a class behind it that nobody else knows: increment() looks and writes in two
// steps. Every method is virtual: to call one, or only to say how it is called, there must be an
// object.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

class Store {
 public:
  virtual ~Store() = default;
  virtual void set(const std::string& key, int value) = 0;
  virtual int get(const std::string& key) const = 0;
  virtual int increment(const std::string& key) = 0;
};

class MemoryStore : public Store {
 public:
  void set(const std::string& key, int value) override {
    std::lock_guard lock(mutex_);
    values_[key] = value;
  }
  int get(const std::string& key) const override {
    std::lock_guard lock(mutex_);
    const auto found = values_.find(key);
    return found == values_.end() ? 0 : found->second;
  }
  int increment(const std::string& key) override {
#ifdef FIXED
    std::lock_guard lock(mutex_);
    return ++values_[key];
#else
    const int value = get(key) + 1;
    set(key, value);
    return value;
#endif
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, int> values_;
};

inline std::unique_ptr<Store> make_store() { return std::make_unique<MemoryStore>(); }
