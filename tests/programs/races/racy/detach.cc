// Expect: race
// A detached thread says with a relaxed flag that it is done.
#include <atomic>
#include <thread>

std::atomic<bool> done;
int result;

int main() {
  std::thread([] {
    result = 42;  // race
    done.store(true, std::memory_order_relaxed);
  }).detach();
  while (!done.load(std::memory_order_relaxed)) std::this_thread::yield();
  volatile int seen = result;  // race
  (void)seen;
}
