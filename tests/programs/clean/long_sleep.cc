// Expect: clean
// Sleeps and timeouts of hours cost no real time under control (alone, without snag, this program
// takes hours).
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  auto start = std::chrono::steady_clock::now();
  std::thread sleeper([] { std::this_thread::sleep_for(24h); });
  std::mutex mutex;
  std::condition_variable cv;
  {
    std::unique_lock lock(mutex);
    assert(!cv.wait_for(lock, 2h, [] { return false; }));
  }
  std::promise<int> never;
  assert(never.get_future().wait_for(3h) == std::future_status::timeout);
  sleeper.join();
  assert(std::chrono::steady_clock::now() - start >= 24h);
}
