// A multimap seen as a map from keys to lists. The view lives: it has nothing of its own, and asks
// the multimap (which is locked) several times for one answer. With CORRECT it asks once.
// In the paper: AsMap, an atomicity violation.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace study {

// Keys with at least one value each.
class Multimap {
 public:
  using Values = std::vector<int>;

  // What `look` makes of the entries, while nobody changes them.
  template <class Look>
  auto with_entries(Look&& look) {
    std::lock_guard lock(mutex_);
    return look(entries_);
  }
  bool has(const std::string& key) {
    return with_entries([&](const auto& entries) { return entries.count(key) != 0; });
  }
  Values values(const std::string& key) {
    return with_entries([&](const auto& entries) { return entries.at(key); });
  }
  std::vector<std::string> keys() {
    return with_entries([](const auto& entries) {
      std::vector<std::string> result;
      for (const auto& [key, values] : entries) result.push_back(key);
      return result;
    });
  }
  void put(const std::string& key, int value) {
    with_entries([&](auto& entries) { entries[key].push_back(value); });
  }
  Values remove(const std::string& key) {
    return with_entries([&](auto& entries) {
      const auto found = entries.find(key);
      if (found == entries.end()) return Values();
      Values removed = std::move(found->second);
      entries.erase(found);
      return removed;
    });
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Values> entries_;
};

class MapView {
 public:
  using Values = Multimap::Values;

  MapView() = default;

  std::size_t size() const { return map_.keys().size(); }
  bool contains(const std::string& key) const { return map_.has(key); }
  std::vector<std::string> keys() const { return map_.keys(); }
  // Nothing for a key that is not there.
  Values get(const std::string& key) const {
#ifdef CORRECT
    return map_.with_entries([&](const auto& entries) {
      const auto found = entries.find(key);
      return found == entries.end() ? Values() : found->second;
    });
#else
    return map_.has(key) ? map_.values(key) : Values();
#endif
  }
  std::size_t value_count() const {
#ifdef CORRECT
    return map_.with_entries([](const auto& entries) {
      std::size_t count = 0;
      for (const auto& [key, values] : entries) count += values.size();
      return count;
    });
#else
    std::size_t count = 0;
    for (const std::string& key : map_.keys()) count += map_.values(key).size();
    return count;
#endif
  }

  void add(const std::string& key, int value) { map_.put(key, value); }
  Values remove(const std::string& key) { return map_.remove(key); }
  // A key is gone when its last value is.
  bool remove_value(const std::string& key, int value) {
    return map_.with_entries([&](auto& entries) {
      const auto found = entries.find(key);
      if (found == entries.end()) return false;
      const bool is_removed = std::erase(found->second, value) > 0;
      if (found->second.empty()) entries.erase(found);
      return is_removed;
    });
  }
  void clear() {
    map_.with_entries([](auto& entries) { entries.clear(); });
  }

 private:
  mutable Multimap map_;
};

}  // namespace study
