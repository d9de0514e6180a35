// Expect: assert
// Run: --timeouts late
// The sleep is only half as long again as what it waits for: a thread that is a little late breaks
// the test, though no sleep is too short.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

int main() {
  std::atomic<bool> done = false;
  std::thread worker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    done = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  assert(done);
  worker.join();
}
