// Connections, so many for each user. The pools are locked; the limits of users are a map that is
// written without the lock. With CORRECT it is guarded by the same.
// In the paper: PerUserPoolDataSource, a data race.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace study {

class PerUserPool {
 public:
  PerUserPool() = default;

  int default_limit() const {
    std::lock_guard lock(mutex_);
    return default_limit_;
  }
  void set_default_limit(int limit) {
    std::lock_guard lock(mutex_);
    default_limit_ = limit;
  }

  void set_limit(const std::string& user, int limit) {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    limits_[user] = limit;
  }
  int limit(const std::string& user) const {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    return limit_of(user);
  }
  void remove_limit(const std::string& user) {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    limits_.erase(user);
  }
  std::size_t limited_users() const {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    return limits_.size();
  }

  // The number of a connection, none if the user has as many as he may have.
  std::optional<int> acquire(const std::string& user) {
    std::lock_guard lock(mutex_);
    Pool& pool = pools_[user];
    if (pool.active >= limit_of(user)) return std::nullopt;
    ++pool.active;
    if (pool.idle.empty()) return ++last_connection_;
    const int connection = pool.idle.back();
    pool.idle.pop_back();
    return connection;
  }
  void release(const std::string& user, int connection) {
    std::lock_guard lock(mutex_);
    Pool& pool = pools_[user];
    if (pool.active == 0) throw std::logic_error("that user has no connection");
    --pool.active;
    pool.idle.push_back(connection);
  }
  int active(const std::string& user) const {
    std::lock_guard lock(mutex_);
    const auto found = pools_.find(user);
    return found == pools_.end() ? 0 : found->second.active;
  }
  int active() const {
    std::lock_guard lock(mutex_);
    int count = 0;
    for (const auto& [user, pool] : pools_) count += pool.active;
    return count;
  }
  std::size_t idle() const {
    std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const auto& [user, pool] : pools_) count += pool.idle.size();
    return count;
  }

 private:
  struct Pool {
    int active = 0;
    std::vector<int> idle;
  };

  int limit_of(const std::string& user) const {
    const auto found = limits_.find(user);
    return found == limits_.end() ? default_limit_ : found->second;
  }

  mutable std::mutex mutex_;
  std::map<std::string, Pool> pools_;
  std::map<std::string, int> limits_;
  int default_limit_ = 2;
  int last_connection_ = 0;
};

}  // namespace study
