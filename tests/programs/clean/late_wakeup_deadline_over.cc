// Expect: clean
// Frames at intervals: a thread that is late waits for a deadline that is already over, and loses
// no time by a signal that came before.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex mutex;
std::condition_variable changed;
std::atomic<bool> is_dirty;
int frames;

int main() {
  std::thread renderer([] {
    if (is_dirty) ++frames;
    std::unique_lock lock(mutex);
    changed.wait_until(lock, std::chrono::steady_clock::now() - 4ms);
  });
  is_dirty = true;
  changed.notify_all();
  renderer.join();
}
