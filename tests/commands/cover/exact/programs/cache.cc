// A cache under one lock, with a counter of hits that is read without it.
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>

class Cache {
 public:
  std::string get(int key) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      const auto found = entries_.find(key);
      if (found != entries_.end()) {
        ++hits_;
        order_.splice(order_.begin(), order_, found->second.at);
        return found->second.value;
      }
    }
    const std::string value = make(key);  // others may make the same meanwhile
    std::lock_guard<std::mutex> guard(mutex_);
    if (entries_.count(key) == 0) {
      order_.push_front(key);
      entries_[key] = {value, order_.begin()};
      if (entries_.size() > 2) {
        entries_.erase(order_.back());
        order_.pop_back();
      }
    }
    return value;
  }
  int hits() const { return hits_; }

 private:
  struct Entry {
    std::string value;
    std::list<int>::iterator at;
  };
  static std::string make(int key) { return std::string(20, static_cast<char>('a' + key)); }

  std::mutex mutex_;
  std::map<int, Entry> entries_;
  std::list<int> order_;
  int hits_ = 0;
};

int main() {
  Cache cache;
  std::size_t sizes[3] = {};
  const auto use = [&](int who) {
    for (int i = 0; i < 3; ++i) sizes[who] += cache.get((who + i) % 3).size();
  };
  std::thread a(use, 0), b(use, 1), c(use, 2);
  while (cache.hits() < 0) {
  }
  a.join();
  b.join();
  c.join();
  return sizes[0] + sizes[1] + sizes[2] == 180 ? 0 : 1;
}
