// Expect: clean
// Run: --timeouts late
// A sleep that is much longer than what it waits for: no thread sleeps so much longer than it
// wants.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

int main() {
  std::atomic<bool> done = false;
  std::thread worker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    done = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  assert(done);
  worker.join();
}
