// Expect: deadlock
// main joins the worker with the lock held that the worker needs to finish.
#include <mutex>
#include <thread>

std::mutex mutex;

int main() {
  std::thread worker([] { std::lock_guard lock(mutex); });
  std::lock_guard lock(mutex);
  worker.join();
}
