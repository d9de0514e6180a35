// Expect: assert
// clean/rate_limiter.cc, where the token is counted after the lock is given up: two threads take
// the same one.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using std::chrono::steady_clock, std::chrono::milliseconds;

class Bucket {
 public:
  void Take() {
    for (;;) {
      steady_clock::time_point next;
      {
        std::lock_guard lock(mutex_);
        auto now = steady_clock::now();
        long due = 1 + (now - start_) / milliseconds(10);
        if (given_ < due) due = 0;
        next = due == 0 ? now : start_ + given_ * milliseconds(10);
      }
      if (next <= steady_clock::now()) {
        std::lock_guard lock(mutex_);
        ++given_;
        return;
      }
      std::this_thread::sleep_until(next);
    }
  }
  void Check() {
    std::lock_guard lock(mutex_);
    assert(given_ == 4 && steady_clock::now() - start_ >= milliseconds(30));
  }

 private:
  std::mutex mutex_;
  const steady_clock::time_point start_ = steady_clock::now();
  long given_ = 0;
};

int main() {
  Bucket bucket;
  auto body = [&] {
    bucket.Take();
    bucket.Take();
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
  bucket.Check();
}
