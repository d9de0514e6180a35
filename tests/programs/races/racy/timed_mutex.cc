// Expect: race
// When the lock does not come in time, the second thread goes on without it. The first one holds it
// until then; the relaxed flags that arrange this order nothing, and have a word of their own (see
// crowded_word.cc).
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

std::timed_mutex mutex;
alignas(64) std::atomic<bool> is_held, gave_up;
alignas(64) int counter;

int main() {
  std::thread patient([] {
    std::lock_guard lock(mutex);
    is_held.store(true, std::memory_order_relaxed);
    while (!gave_up.load(std::memory_order_relaxed)) std::this_thread::yield();
    ++counter;  // race
  });
  std::thread hasty([] {
    while (!is_held.load(std::memory_order_relaxed)) std::this_thread::yield();
    bool locked = mutex.try_lock_for(std::chrono::milliseconds(1));
    ++counter;  // race
    if (locked) mutex.unlock();
    gave_up.store(true, std::memory_order_relaxed);
  });
  patient.join();
  hasty.join();
}
