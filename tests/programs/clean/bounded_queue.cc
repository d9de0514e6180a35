// Expect: clean
// Producers and consumers on a bounded queue with two conditions: everything arrives once.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Queue {
 public:
  void Push(int value) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [&] { return items_.size() < 2; });
    items_.push(value);
    not_empty_.notify_one();
  }
  int Pop() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [&] { return !items_.empty(); });
    int value = items_.front();
    items_.pop();
    not_full_.notify_one();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_empty_, not_full_;
  std::queue<int> items_;
};

int main() {
  Queue queue;
  int sums[2] = {};
  std::vector<std::thread> threads;
  for (int p = 0; p < 2; ++p)
    threads.emplace_back([&, p] {
      for (int i = 0; i < 3; ++i) queue.Push(10 * p + i);
    });
  for (int& sum : sums)
    threads.emplace_back([&] {
      for (int i = 0; i < 3; ++i) sum += queue.Pop();
    });
  for (auto& thread : threads) thread.join();
  assert(sums[0] + sums[1] == 0 + 1 + 2 + 10 + 11 + 12);
}
