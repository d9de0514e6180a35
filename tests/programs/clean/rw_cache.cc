// Expect: clean
// A cache under a reader-writer lock that looks again after taking the write lock: each value is
// computed once.
#include <atomic>
#include <cassert>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

std::shared_mutex mutex;
std::map<int, std::string> cache;
std::atomic<int> computed;

std::string Get(int key) {
  {
    std::shared_lock lock(mutex);
    if (auto it = cache.find(key); it != cache.end()) return it->second;
  }
  std::unique_lock lock(mutex);
  auto [it, inserted] = cache.try_emplace(key);
  if (inserted) {
    ++computed;
    it->second = "a value that does not fit into the string object, number " + std::to_string(key);
  }
  return it->second;
}

int main() {
  auto body = [](int step) {
    for (int i = 0; i < 3; ++i) {
      int key = i * step % 3;
      assert(Get(key).back() == '0' + key);
    }
  };
  std::thread a(body, 1), b(body, 2), c(body, 1);
  a.join();
  b.join();
  c.join();
  assert(computed == 3 && cache.size() == 3);
}
