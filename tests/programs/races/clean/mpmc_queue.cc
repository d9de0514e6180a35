// Expect: clean
// A queue for several producers and consumers: one mutex, one condition variable.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

std::mutex mutex;
std::condition_variable filled;
std::queue<int*> queue;

int main() {
  auto produce = [](int value) {
    int* item = new int(value);
    std::lock_guard lock(mutex);
    queue.push(item);
    filled.notify_one();
  };
  auto consume = [](int& result) {
    std::unique_lock lock(mutex);
    filled.wait(lock, [] { return !queue.empty(); });
    int* item = queue.front();
    queue.pop();
    lock.unlock();
    result = *item;
    delete item;
  };
  int results[2] = {};
  std::thread p1(produce, 1), p2(produce, 2);
  std::thread c1(consume, std::ref(results[0])), c2(consume, std::ref(results[1]));
  for (std::thread* thread : {&p1, &p2, &c1, &c2}) thread->join();
  assert(results[0] + results[1] == 3);
}
