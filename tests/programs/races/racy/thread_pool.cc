// Expect: race
// A pool takes its tasks from a queue under a mutex; main reads a result as soon as the queue is
// empty, although the task may still run.
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

std::mutex mutex;
std::condition_variable filled;
std::queue<std::function<void()>> tasks;
int result;

int main() {
  auto work = [] {
    std::unique_lock lock(mutex);
    filled.wait(lock, [] { return !tasks.empty(); });
    std::function<void()> task = std::move(tasks.front());
    tasks.pop();
    lock.unlock();
    task();
  };
  std::thread worker(work);
  {
    std::lock_guard lock(mutex);
    tasks.push([] { result = 42; });  // race
    filled.notify_one();
  }
  for (bool is_empty = false; !is_empty;) {
    std::lock_guard lock(mutex);
    is_empty = tasks.empty();
  }
  volatile int seen = result;  // race
  (void)seen;
  worker.join();
}
