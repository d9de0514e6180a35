// Connections that all users share. The pool is made when it is first needed, by whoever comes
// first: two threads that both come first have one each, and one is lost. With CORRECT it is made
// under the lock.
// In the paper: SharedPoolDataSource, a data race.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <vector>

namespace study {

class SharedPool {
 public:
  explicit SharedPool(int capacity) : capacity_(capacity > 0 ? capacity : 1) {}

  int capacity() const { return capacity_; }

  std::optional<int> acquire() {
    const std::shared_ptr<Pool> pool = the_pool();
    std::lock_guard lock(pool->mutex);
    return take(*pool);
  }
  // As many as there are, at most `count`.
  std::vector<int> acquire(std::size_t count) {
    const std::shared_ptr<Pool> pool = the_pool();
    std::lock_guard lock(pool->mutex);
    std::vector<int> taken;
    while (taken.size() < count) {
      const std::optional<int> connection = take(*pool);
      if (!connection) break;
      taken.push_back(*connection);
    }
    return taken;
  }
  void release(int connection) {
    const std::shared_ptr<Pool> pool = the_pool();
    std::lock_guard lock(pool->mutex);
    if (pool->active == 0) throw std::logic_error("no connection is in use");
    --pool->active;
    pool->idle.push_back(connection);
  }
  int active() const {
    const std::shared_ptr<Pool> pool = the_pool();
    std::lock_guard lock(pool->mutex);
    return pool->active;
  }
  std::size_t idle() const {
    const std::shared_ptr<Pool> pool = the_pool();
    std::lock_guard lock(pool->mutex);
    return pool->idle.size();
  }
  // Idle connections are closed; those in use stay.
  std::size_t evict() {
    const std::shared_ptr<Pool> pool = the_pool();
    std::lock_guard lock(pool->mutex);
    const std::size_t count = pool->idle.size();
    pool->idle.clear();
    return count;
  }

 private:
  struct Pool {
    std::mutex mutex;
    int active = 0, last = 0;
    std::vector<int> idle;
  };

  std::optional<int> take(Pool& pool) const {
    if (pool.active == capacity_) return std::nullopt;
    if (pool.idle.empty()) pool.idle.push_back(++pool.last);
    const int connection = pool.idle.back();
    pool.idle.pop_back();
    ++pool.active;
    return connection;
  }

  std::shared_ptr<Pool> the_pool() const {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
    if (pool_ == nullptr) pool_ = std::make_shared<Pool>();
#else
    if (pool_ == nullptr) {
      std::lock_guard lock(mutex_);
      pool_ = std::make_shared<Pool>();
    }
#endif
    return pool_;
  }

  const int capacity_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<Pool> pool_;
};

}  // namespace study
