// Expect: clean
// Thirty threads count under a mutex.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
int counter;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 30; ++i) {
    threads.emplace_back([] {
      std::lock_guard lock(mutex);
      ++counter;
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert(counter == 30);
}
