// Expect: clean
// Blocks are made by one thread and freed by another, to and fro.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
volatile int* offered;

int main() {
  std::thread maker([] {
    for (int i = 0; i < 3; ++i) {
      volatile int* block = new int(i);
      std::unique_lock lock(mutex);
      changed.wait(lock, [] { return offered == nullptr; });
      offered = block;
      changed.notify_one();
    }
  });
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return offered != nullptr; });
    volatile int* block = offered;
    offered = nullptr;
    changed.notify_one();
    lock.unlock();
    sum += *block;
    delete block;
  }
  maker.join();
  return sum != 3;
}
