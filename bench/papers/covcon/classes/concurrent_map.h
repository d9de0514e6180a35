// A hash map with a lock for each stripe. Single operations are right; those that look first and
// write then take the lock twice. With CORRECT they hold it.
// In the paper: ConcurrentHashMap, an atomicity violation.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace study {

class ConcurrentMap {
 public:
  ConcurrentMap() = default;

  std::optional<int> get(int key) const {
    const Stripe& stripe = stripe_of(key);
    std::lock_guard lock(stripe.mutex);
    return find(stripe, key);
  }
  bool contains(int key) const { return get(key).has_value(); }

  // What was there before.
  std::optional<int> put(int key, int value) {
    Stripe& stripe = stripe_of(key);
    std::lock_guard lock(stripe.mutex);
    const std::optional<int> before = find(stripe, key);
    stripe.entries[key] = value;
    return before;
  }
  bool remove(int key) {
    Stripe& stripe = stripe_of(key);
    std::lock_guard lock(stripe.mutex);
    return stripe.entries.erase(key) == 1;
  }

  std::optional<int> put_if_absent(int key, int value) {
#ifdef CORRECT
    Stripe& stripe = stripe_of(key);
    std::lock_guard lock(stripe.mutex);
    const std::optional<int> before = find(stripe, key);
    if (!before) stripe.entries[key] = value;
    return before;
#else
    if (const std::optional<int> before = get(key)) return before;
    return put(key, value);
#endif
  }
  bool replace(int key, int expected, int value) {
    Stripe& stripe = stripe_of(key);
    std::lock_guard lock(stripe.mutex);
    if (find(stripe, key) != expected) return false;
    stripe.entries[key] = value;
    return true;
  }
  // The new value; what is not there counts as 0.
  int add(int key, int amount) {
#ifdef CORRECT
    Stripe& stripe = stripe_of(key);
    std::lock_guard lock(stripe.mutex);
    return stripe.entries[key] += amount;
#else
    const int sum = get(key).value_or(0) + amount;
    put(key, sum);
    return sum;
#endif
  }

  // All stripes at once, in the order in which they lie: so the count is that of one moment.
  std::size_t size() const {
    std::array<std::unique_lock<std::mutex>, kStripes> locks;
    for (std::size_t i = 0; i < kStripes; ++i) locks[i] = std::unique_lock(stripes_[i].mutex);
    std::size_t count = 0;
    for (const Stripe& stripe : stripes_) count += stripe.entries.size();
    return count;
  }
  long sum() const {
    std::array<std::unique_lock<std::mutex>, kStripes> locks;
    for (std::size_t i = 0; i < kStripes; ++i) locks[i] = std::unique_lock(stripes_[i].mutex);
    long total = 0;
    for (const Stripe& stripe : stripes_) {
      for (const auto& [key, value] : stripe.entries) total += value;
    }
    return total;
  }

 private:
  static constexpr std::size_t kStripes = 4;
  struct Stripe {
    mutable std::mutex mutex;
    std::unordered_map<int, int> entries;
  };

  static std::size_t index_of(int key) { return static_cast<unsigned>(key) % kStripes; }
  Stripe& stripe_of(int key) { return stripes_[index_of(key)]; }
  const Stripe& stripe_of(int key) const { return stripes_[index_of(key)]; }
  static std::optional<int> find(const Stripe& stripe, int key) {
    const auto found = stripe.entries.find(key);
    if (found == stripe.entries.end()) return std::nullopt;
    return found->second;
  }

  std::array<Stripe, kStripes> stripes_;
};

}  // namespace study
