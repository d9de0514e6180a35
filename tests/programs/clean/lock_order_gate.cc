// Expect: clean
// Both orders, but only under a third lock: no thread can be in between.
#include <mutex>
#include <thread>

std::mutex gate, first, second;

int main() {
  std::thread forward([] {
    std::lock_guard outer(gate);
    std::lock_guard a(first);
    std::lock_guard b(second);
  });
  std::thread backward([] {
    std::lock_guard outer(gate);
    std::lock_guard b(second);
    std::lock_guard a(first);
  });
  forward.join();
  backward.join();
}
