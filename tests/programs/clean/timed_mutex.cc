// Expect: clean
// std::timed_mutex: a free lock is taken, a held one may time out, and then the deadline has really
// passed.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::timed_mutex mutex;
  int count = 0, timeouts = 0;
  std::mutex counts;
  auto body = [&](bool relative) {
    for (int i = 0; i < 2; ++i) {
      auto start = std::chrono::steady_clock::now();
      bool locked = relative ? mutex.try_lock_for(10ms) : mutex.try_lock_until(start + 10ms);
      if (locked) {
        std::this_thread::sleep_for(20ms);
        std::lock_guard lock(counts);
        ++count;
      } else {
        assert(std::chrono::steady_clock::now() - start >= 10ms);
        std::lock_guard lock(counts);
        ++timeouts;
      }
      if (locked) mutex.unlock();
    }
  };
  std::thread t1(body, true), t2(body, false);
  t1.join();
  t2.join();
  assert(count + timeouts == 4 && count >= 1);
  assert(mutex.try_lock_until(std::chrono::system_clock::now() + 1ms));
  std::thread([&] { assert(!mutex.try_lock_for(1ms) && !mutex.try_lock()); }).join();
  mutex.unlock();
}
