// Expect: race
// A detached thread still counts while main reads the counter for its last words.
#include <atomic>
#include <thread>

int counter;
std::atomic<bool> has_counted;

int main() {
  std::thread([] {
    ++counter;  // race
    has_counted.store(true, std::memory_order_relaxed);
    ++counter;  // race
  }).detach();
  while (!has_counted.load(std::memory_order_relaxed)) std::this_thread::yield();
  return counter > 2;  // race
}
