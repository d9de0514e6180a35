// Expect: race
// The result of try_lock is used for the unlock only: without the lock, the work is done all the
// same. The other thread holds the lock meanwhile.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex mutex;
alignas(64) std::atomic<bool> is_held, is_done;
alignas(64) int counter;

int main() {
  std::thread owner([] {
    std::lock_guard lock(mutex);
    is_held.store(true, std::memory_order_relaxed);
    while (!is_done.load(std::memory_order_relaxed)) std::this_thread::yield();
    ++counter;  // race
  });
  std::thread other([] {
    while (!is_held.load(std::memory_order_relaxed)) std::this_thread::yield();
    bool locked = mutex.try_lock();
    ++counter;  // race
    if (locked) mutex.unlock();
    is_done.store(true, std::memory_order_relaxed);
  });
  owner.join();
  other.join();
}
