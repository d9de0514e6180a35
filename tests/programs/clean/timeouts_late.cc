// Expect: clean
// Run: --timeouts late
// A sleep that is much longer than what it waits for: no thread sleeps so much longer than it
// wants.
#include <atomic>
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

// Once its wait is over, the semaphore tries again a few times before it gives up: that is not
// waiting for the sleeper's deadline.
void GivesUpBeforeTheSleeperWakes() {
  std::atomic<bool> over = false;
  std::counting_semaphore<3> semaphore(0);
  std::thread taker([&] {
    const bool taken = semaphore.try_acquire_for(std::chrono::milliseconds(10));
    assert(!taken);
    over = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  assert(over);
  taker.join();
}

// Nor is a loop that counts its tries.
void TriesAHundredTimes() {
  std::atomic<bool> go = false, over = false;
  std::thread trier([&] {
    for (int i = 0; i < 100 && !go; ++i) {
    }
    over = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  assert(over);
  trier.join();
}

int main() {
  std::atomic<bool> done = false;
  std::thread worker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    done = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  assert(done);
  worker.join();
  GivesUpBeforeTheSleeperWakes();
  TriesAHundredTimes();
}
