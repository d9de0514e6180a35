// Expect: clean
// Two ints in one 8-byte word, each under a lock of its own.
#include <cassert>
#include <mutex>
#include <thread>

struct alignas(8) Pair {
  int left, right;
} pair;
std::mutex left_mutex, right_mutex;

int main() {
  auto body = [] {
    for (int i = 0; i < 2; ++i) {
      {
        std::lock_guard lock(left_mutex);
        ++pair.left;
      }
      std::lock_guard lock(right_mutex);
      ++pair.right;
    }
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
  assert(pair.left == 4 && pair.right == 4);
}
