// Expect: clean
// A barrier of a mutex, a condition variable and a number of the round: nobody is in a round before
// all have ended the one before it.
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
    int round = round_;
    if (--left_ == 0) {
      left_ = size_;
      ++round_;
      cv_.notify_all();
      return;
    }
    while (round == round_) cv_.wait(lock);
  }

 private:
  std::mutex mutex_;
  std::condition_variable cv_;
  int size_, left_, round_ = 0;
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
