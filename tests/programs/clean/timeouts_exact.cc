// Expect: clean
// Run: --timeouts exact
// Tests that are right as long as no thread is late: each of them fails with early timeouts.
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
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

int main() {
  SleepsForAWorker();
  OrdersBySleeps();
  WaitsLongEnough();
  PollsUntilADeadline();
  TakesAsLongAsItSays();
}
