// Expect: assert
// Double-checked initialisation sets the flag before the data: a reader sees the flag and stale
// data.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<bool> done;
int data;

int Get() {
  if (!done) {
    std::lock_guard lock(mutex);
    if (!done) {
      done = true;
      data = 42;
    }
  }
  return data;
}

int main() {
  auto body = [] { assert(Get() == 42); };
  std::thread a(body), b(body);
  a.join();
  b.join();
}
