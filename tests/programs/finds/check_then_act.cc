// Expect: assert
// Switches: 4
// Each map operation is locked, but not the pair: both threads see the key missing and both insert.
#include <cassert>
#include <map>
#include <mutex>
#include <thread>

std::mutex mutex;
std::map<int, int> cache;
int computed;

bool Contains(int key) {
  std::lock_guard lock(mutex);
  return cache.count(key) != 0;
}

void Insert(int key) {
  std::lock_guard lock(mutex);
  cache[key] = ++computed;
}

int main() {
  auto lookup = [] {
    if (!Contains(1)) Insert(1);
  };
  std::thread a(lookup), b(lookup);
  a.join();
  b.join();
  assert(computed == 1);
}
