// Expect: assert
// The semaphore of clean/condition_semaphore.cc with `if` instead of `while`: another thread takes
// the unit between the signal and the return from the wait.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

class Semaphore {
 public:
  explicit Semaphore(int units) : units_(units) {}
  void Acquire() {
    std::unique_lock lock(mutex_);
    if (units_ == 0) cv_.wait(lock);
    --units_;
  }
  void Release(bool under_lock) {
    std::unique_lock lock(mutex_);
    ++units_;
    if (!under_lock) lock.unlock();
    cv_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable cv_;
  int units_;
};

int main() {
  Semaphore semaphore(2);
  std::atomic<int> inside = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      semaphore.Acquire();
      assert(++inside <= 2);
      --inside;
      semaphore.Release(i % 2 == 0);
    });
  for (auto& thread : threads) thread.join();
}
