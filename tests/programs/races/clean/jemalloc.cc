// Expect: clean
// Flags: -ljemalloc
// jemalloc hands out again in one thread what another one has given back; what orders the two is in
// the library, where it is not seen.
#include <jemalloc/jemalloc.h>

#include <atomic>
#include <cstdlib>
#include <thread>

int main() {
  std::atomic<bool> done{false};
  std::thread other([&] {
    for (int i = 0; i < 3; ++i) {
      auto* block = static_cast<long*>(mallocx(100, MALLOCX_ALIGN(64)));
      *block = i;
      std::free(block);
    }
    done.store(true, std::memory_order_relaxed);  // (publishes nothing)
  });
  while (!done.load(std::memory_order_relaxed)) std::this_thread::yield();
  for (int i = 0; i < 100; ++i) {
    auto* block = static_cast<long*>(mallocx(100, MALLOCX_ALIGN(64)));
    *block = i;
    std::free(block);
  }
  other.join();
}
