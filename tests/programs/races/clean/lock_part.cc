// Expect: clean
// A unique_lock that is let go for the private part of the work, and taken again.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int calls, bytes;

int main() {
  auto body = [](int size) {
    std::unique_lock lock(mutex);
    ++calls;
    lock.unlock();
    int own = size * 2;
    lock.lock();
    bytes += own;
  };
  std::thread first(body, 1), second(body, 2);
  first.join();
  second.join();
  assert(calls == 2 && bytes == 6);
}
