// Expect: clean
// A cache of two entries that forgets the one used least recently; values are shared pointers, so
// that a reader may keep one that has been forgotten.
#include <cassert>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

class Cache {
 public:
  std::shared_ptr<const int> Get(int key) {
    std::lock_guard lock(mutex_);
    auto found = index_.find(key);
    if (found != index_.end()) {
      order_.splice(order_.begin(), order_, found->second);
    } else {
      order_.emplace_front(key, std::make_shared<const int>(key * key));
      index_[key] = order_.begin();
      if (order_.size() > 2) {
        index_.erase(order_.back().first);
        order_.pop_back();
      }
    }
    return order_.front().second;
  }

 private:
  using Entry = std::pair<int, std::shared_ptr<const int>>;
  std::mutex mutex_;
  std::list<Entry> order_;
  std::unordered_map<int, std::list<Entry>::iterator> index_;
};

int main() {
  Cache cache;
  auto body = [&](int first) {
    for (int i = 0; i < 3; ++i) {
      int key = (first + i) % 3;
      std::shared_ptr<const int> value = cache.Get(key);
      assert(*value == key * key);
    }
  };
  std::thread a(body, 0), b(body, 1), c(body, 2);
  a.join();
  b.join();
  c.join();
}
