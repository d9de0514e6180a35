// Expect: clean
// std::shared_timed_mutex: try_lock_for, try_lock_until and their shared forms; any attempt may
// time out.
#include <cassert>
#include <chrono>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::shared_timed_mutex mutex;
  int value = 0, expected = 0;
  std::thread writer([&] {
    for (int i = 0; i < 3; ++i)
      if (mutex.try_lock_for(5ms)) {
        ++value;
        ++expected;
        mutex.unlock();
      }
  });
  std::thread reader([&] {
    for (int i = 0; i < 3; ++i)
      if (mutex.try_lock_shared_until(std::chrono::steady_clock::now() + 5ms)) {
        assert(value == expected);
        mutex.unlock_shared();
      }
  });
  std::thread other([&] {
    std::shared_lock lock(mutex, std::chrono::system_clock::now() + 5ms);
    if (lock) assert(value == expected);
  });
  writer.join();
  reader.join();
  other.join();
  mutex.lock();
  std::thread([&] {
    assert(!mutex.try_lock_shared_for(1ms) &&
           !mutex.try_lock_until(std::chrono::steady_clock::now() + 1ms));
  }).join();
  mutex.unlock();
}
