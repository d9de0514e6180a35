// Expect: race | heap
// One thread frees what another one reads, and nothing orders the two. In some schedules it is a
// use after free, in all a race.
#include <atomic>
#include <cstdlib>
#include <thread>

int* block;
std::atomic<bool> done;

int main() {
  block = static_cast<int*>(std::malloc(sizeof(int)));
  *block = 1;
  std::thread reader([] {
    volatile int seen = *block;  // race
    (void)seen;
    done.store(true, std::memory_order_relaxed);
  });
  while (!done.load(std::memory_order_relaxed)) std::this_thread::yield();
  std::free(block);  // race
  reader.join();
}
