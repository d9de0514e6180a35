// Expect: clean
// Run: --timeouts exact
// Tests that are right as long as no thread is late: each of them fails with early timeouts.
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <semaphore>
#include <thread>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// The test sleeps long enough for the worker.
void SleepsForAWorker() {
  std::atomic<bool> done = false;
  std::thread worker([&] {
    for (int i = 0; i < 5; ++i) std::this_thread::sleep_for(2ms);
    done = true;
  });
  std::this_thread::sleep_for(50ms);
  assert(done);
  worker.join();
}

// Two sleeps order two threads.
void OrdersBySleeps() {
  std::atomic<int> last = 0;
  std::thread first([&] {
    std::this_thread::sleep_for(10ms);
    last = 1;
  });
  std::thread second([&] {
    std::this_thread::sleep_for(20ms);
    last = 2;
  });
  first.join();
  second.join();
  assert(last == 2);
}

// The result comes long before the timeout.
void WaitsLongEnough() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread worker([&] {
    for (int i = 0; i < 30; ++i) {
      std::lock_guard lock(mutex);
    }
    std::lock_guard lock(mutex);
    ready = true;
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    assert(changed.wait_for(lock, 100ms, [&] { return ready; }));
  }
  worker.join();
  std::promise<int> promise;
  std::thread setter([&] { promise.set_value(1); });
  assert(promise.get_future().wait_for(1s) == std::future_status::ready);
  setter.join();
}

// A thread that polls the clock beside one that sleeps.
void PollsUntilADeadline() {
  std::atomic<bool> stopped = false;
  std::thread stopper([&] {
    std::this_thread::sleep_for(5ms);
    stopped = true;
  });
  const auto end = Clock::now() + 100ms;
  while (!stopped && Clock::now() < end) {
  }
  assert(stopped);
  stopper.join();
}

void TakesAsLongAsItSays() {
  const auto begin = Clock::now();
  std::this_thread::sleep_for(30ms);
  const auto took = Clock::now() - begin;
  assert(took >= 30ms && took < 40ms);
}

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
  SleepsForAWorker();
  OrdersBySleeps();
  WaitsLongEnough();
  PollsUntilADeadline();
  TakesAsLongAsItSays();
  GivesUpBeforeTheSleeperWakes();
  TriesAHundredTimes();
}
