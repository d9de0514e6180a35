// Expect: clean
// A thread shows frames at intervals, and takes what is new with an exchange. The signal of new
// input does not end its wait, by design.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex mutex;
std::condition_variable changed;
bool quit;
std::atomic<int> events;
int frames;

int main() {
  std::thread renderer([] {
    auto next = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex);
    while (!quit) {
      next += 16ms;
      events.exchange(0);
      ++frames;
      changed.wait_until(lock, next, [] { return quit; });
    }
  });
  std::thread input([] {
    for (int i = 0; i < 3; ++i) {
      ++events;
      changed.notify_all();
      std::this_thread::sleep_for(20ms);
    }
  });
  input.join();
  {
    std::lock_guard lock(mutex);
    quit = true;
  }
  changed.notify_all();
  renderer.join();
}
