// Expect: clean
// A pool of two takes its tasks from a queue; main waits until all are done.
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
std::queue<std::function<void()>> tasks;
int done;
bool closed;

void work() {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [] { return closed || !tasks.empty(); });
    if (tasks.empty()) return;
    std::function<void()> task = std::move(tasks.front());
    tasks.pop();
    lock.unlock();
    task();
    lock.lock();
    ++done;
    changed.notify_all();
  }
}

int main() {
  int results[3] = {};
  std::thread first(work), second(work);
  std::unique_lock lock(mutex);
  for (int i = 0; i < 3; ++i) tasks.push([&results, i] { results[i] = i; });
  changed.notify_all();
  changed.wait(lock, [] { return done == 3; });
  assert(results[1] + results[2] == 3);
  closed = true;
  changed.notify_all();
  lock.unlock();
  first.join();
  second.join();
}
