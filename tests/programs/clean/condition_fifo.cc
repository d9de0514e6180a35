// Expect: clean
// A fair lock: each waiter has a condition variable of its own, on its stack, and the lock is
// handed to the one that has waited longest.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

class FairLock {
 public:
  void Lock() {
    std::unique_lock lock(mutex_);
    if (!held_) {
      held_ = true;
      return;
    }
    Waiter self;
    waiters_.push_back(&self);
    while (!self.granted) self.cv.wait(lock);
  }
  void Unlock() {
    std::lock_guard lock(mutex_);
    if (waiters_.empty()) {
      held_ = false;
      return;
    }
    waiters_.front()->granted = true;
    waiters_.front()->cv.notify_one();  // under the lock: the waiter then still exists
    waiters_.pop_front();
  }

 private:
  struct Waiter {
    std::condition_variable cv;
    bool granted = false;
  };
  std::mutex mutex_;
  bool held_ = false;
  std::deque<Waiter*> waiters_;
};

int main() {
  FairLock lock;
  int count = 0;
  auto body = [&] {
    for (int i = 0; i < 2; ++i) {
      lock.Lock();
      ++count;
      lock.Unlock();
    }
  };
  std::thread a(body), b(body), c(body);
  a.join();
  b.join();
  c.join();
  assert(count == 6);
}
