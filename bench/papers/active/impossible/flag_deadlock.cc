// kind: deadlock
// Both orders, but the second thread waits until a flag says that the first one is done.
#include <atomic>
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
std::mutex a, b;
std::atomic<bool> is_done = false;
}  // namespace

int main() {
  std::thread first([] {
    Work();
    { std::lock_guard x(a), y(b); }
    is_done = true;
  });
  std::thread second([] {
    while (!is_done) std::this_thread::yield();
    std::lock_guard x(b), y(a);
  });
  first.join();
  second.join();
}
