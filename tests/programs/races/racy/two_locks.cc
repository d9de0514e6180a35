// Expect: race
// Both threads hold a mutex, but each its own.
#include <mutex>
#include <thread>

std::mutex left, right;
int counter;

int main() {
  std::thread first([] {
    std::lock_guard lock(left);
    ++counter;  // race
  });
  std::thread second([] {
    std::lock_guard lock(right);
    ++counter;  // race
  });
  first.join();
  second.join();
}
