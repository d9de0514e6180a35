// Expect: clean
// Readers do not wait for readers, in whatever order they come.
#include <shared_mutex>
#include <thread>

std::shared_mutex first, second;

int main() {
  std::thread forward([] {
    std::shared_lock a(first);
    std::shared_lock b(second);
  });
  std::thread backward([] {
    std::shared_lock b(second);
    std::shared_lock a(first);
  });
  forward.join();
  backward.join();
}
