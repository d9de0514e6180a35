// Expect: assert
// A wait without a loop: only a spurious wakeup breaks it.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

using std::chrono::milliseconds, std::chrono::steady_clock, std::chrono::system_clock;

std::mutex mutex;
std::condition_variable cv;
bool opened;
int passed;

void Wait(int form) {
  std::unique_lock lock(mutex);
  auto is_open = [] { return opened; };
  if (form == 0) cv.wait(lock, is_open);
  if (form == 1) {
    if (!opened) cv.wait(lock);
  }
  if (form == 2) {
    while (!cv.wait_for(lock, milliseconds(1), is_open)) {
    }
  }
  if (form == 3) {
    while (!opened) cv.wait_for(lock, milliseconds(1));
  }
  if (form == 4) {
    while (!opened) cv.wait_until(lock, system_clock::now() + milliseconds(1));
  }
  if (form == 5) {
    while (!cv.wait_until(lock, steady_clock::now() + milliseconds(1), is_open)) {
    }
  }
  assert(opened);
  ++passed;
}

int main() {
  std::vector<std::thread> threads;
  for (int form = 0; form < 6; ++form) threads.emplace_back(Wait, form);
  {
    std::lock_guard lock(mutex);
    opened = true;
  }
  cv.notify_all();
  for (auto& thread : threads) thread.join();
  assert(passed == 6);
}
