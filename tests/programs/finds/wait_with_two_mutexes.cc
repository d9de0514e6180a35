// Expect: lock-misuse
// Two threads wait on one condition variable, each with a mutex of its own.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex first, second;
std::condition_variable changed;

int main() {
  auto wait = [](std::mutex& mutex) {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(1));
  };
  std::thread a(wait, std::ref(first)), b(wait, std::ref(second));
  a.join();
  b.join();
}
