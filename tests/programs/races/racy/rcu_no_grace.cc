// Expect: race
// The old version is used again as soon as the new one is published: a reader may still be in it.
#include <atomic>
#include <thread>

int versions[2] = {1, 0};
std::atomic<int*> current{&versions[0]};
std::atomic<bool> has_pointer;

int main() {
  std::thread reader([] {
    int* mine = current.load(std::memory_order_acquire);
    has_pointer.store(true, std::memory_order_relaxed);
    volatile int seen = *mine;  // race
    (void)seen;
  });
  while (!has_pointer.load(std::memory_order_relaxed)) std::this_thread::yield();
  versions[1] = 2;
  current.store(&versions[1], std::memory_order_release);
  versions[0] = 3;  // race
  reader.join();
}
