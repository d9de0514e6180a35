// Expect: clean
// One thread takes both orders; the other one takes one lock at a time.
#include <mutex>
#include <thread>

std::mutex first, second;

int main() {
  std::thread other([] {
    { std::lock_guard a(first); }
    { std::lock_guard b(second); }
  });
  {
    std::lock_guard a(first);
    std::lock_guard b(second);
  }
  {
    std::lock_guard b(second);
    std::lock_guard a(first);
  }
  other.join();
}
