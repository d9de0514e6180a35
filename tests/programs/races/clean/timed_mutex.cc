// Expect: clean
// try_lock_for in a loop until the lock is there; try_lock_until with a fallback that needs no
// lock.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

std::timed_mutex mutex;
int counter;

int main() {
  int given_up = 0;
  std::thread stubborn([] {
    while (!mutex.try_lock_for(std::chrono::milliseconds(1))) {
    }
    ++counter;
    mutex.unlock();
  });
  std::thread modest([&] {
    if (mutex.try_lock_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(1))) {
      ++counter;
      mutex.unlock();
    } else {
      ++given_up;
    }
  });
  stubborn.join();
  modest.join();
  assert(counter + given_up == 2);
}
