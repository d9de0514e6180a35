// Expect: clean
// A thread polls a flag until a deadline, and yields in between: it ends by the flag or by time.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

using std::chrono::steady_clock;

int main() {
  std::atomic<bool> ready = false;
  std::thread poller([&] {
    auto deadline = steady_clock::now() + std::chrono::milliseconds(20);
    bool seen;
    while (!(seen = ready) && steady_clock::now() < deadline) std::this_thread::yield();
    assert(seen || steady_clock::now() >= deadline);
  });
  std::thread setter([&] { ready = true; });
  poller.join();
  setter.join();
}
