// Expect: assert
// The test orders two threads by a sleep; nothing makes the worker finish within it.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

std::mutex mutex;
int result;

int main() {
  std::thread worker([] {
    std::lock_guard lock(mutex);
    result = 1;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  {
    std::lock_guard lock(mutex);
    assert(result == 1);
  }
  worker.join();
}
