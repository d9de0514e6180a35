// Expect: clean
// A recursive mutex still protects after its inner unlock.
#include <cassert>
#include <mutex>
#include <thread>

std::recursive_mutex mutex;
int counter;

void helper() {
  std::lock_guard lock(mutex);
  ++counter;
}

int main() {
  auto body = [] {
    std::lock_guard lock(mutex);
    helper();
    ++counter;
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
  assert(counter == 4);
}
