// Expect: clean
// Two threads count under one mutex.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int counter;

int main() {
  auto body = [] {
    for (int i = 0; i < 3; ++i) {
      std::lock_guard lock(mutex);
      ++counter;
    }
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
  assert(counter == 6);
}
