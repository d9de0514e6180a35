// Expect: clean
// A detached thread hands over its result under a mutex.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
int result;

int main() {
  std::thread([] {
    std::lock_guard lock(mutex);
    result = 42;
    changed.notify_one();
  }).detach();
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return result != 0; });
  assert(result == 42);
}
