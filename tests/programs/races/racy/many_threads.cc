// Expect: race
// Thirty threads count under a mutex; the last one forgets it.
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
int counter;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 30; ++i) {
    threads.emplace_back([i] {
      std::unique_lock lock(mutex, std::defer_lock);
      if (i != 29) lock.lock();
      ++counter;  // race
    });
  }
  for (std::thread& thread : threads) thread.join();
}
