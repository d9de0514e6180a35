// Expect: deadlock | lost-wakeup | livelock
// The barrier of clean/condition_generation.cc without the number of the round: who wakes up late
// finds the count of the next round and waits forever.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

class Barrier {
 public:
  explicit Barrier(int size) : size_(size), left_(size) {}
  void Wait() {
    std::unique_lock lock(mutex_);
    if (--left_ == 0) {
      left_ = size_;
      cv_.notify_all();
      return;
    }
    while (left_ != size_) cv_.wait(lock);
  }

 private:
  std::mutex mutex_;
  std::condition_variable cv_;
  int size_, left_;
};

int main() {
  Barrier barrier(3);
  std::atomic<int> arrived = 0;
  auto body = [&] {
    for (int round = 1; round <= 3; ++round) {
      ++arrived;
      barrier.Wait();
      assert(arrived >= 3 * round);
    }
  };
  std::thread a(body), b(body), c(body);
  a.join();
  b.join();
  c.join();
}
