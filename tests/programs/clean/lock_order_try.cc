// Expect: clean
// Who only tries does not wait, and std::scoped_lock takes several locks in any order.
#include <mutex>
#include <thread>

std::mutex first, second;

int main() {
  std::thread forward([] { std::scoped_lock both(first, second); });
  std::thread backward([] { std::scoped_lock both(second, first); });
  std::thread tries([] {
    std::lock_guard b(second);
    if (first.try_lock()) first.unlock();
  });
  {
    std::lock_guard a(first);
    std::lock_guard b(second);
  }
  forward.join();
  backward.join();
  tries.join();
}
