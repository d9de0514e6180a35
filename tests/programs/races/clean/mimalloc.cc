// Expect: clean
// Flags: -lmimalloc
// mimalloc hands out again in one thread what another one has given back; what orders the two
// is in the library, where it is not seen.
#include <mimalloc.h>

#include <atomic>
#include <thread>

int main() {
  std::atomic<bool> done{false};
  auto* first = static_cast<long*>(mi_malloc(48));
  std::thread other([&, block = first] {
    *block = 1;
    mi_free(block);
    done.store(true, std::memory_order_relaxed);  // (publishes nothing)
  });
  while (!done.load(std::memory_order_relaxed)) std::this_thread::yield();
  // Until it is handed out again, which is soon.
  for (int i = 0; i < 20'000; ++i) {
    auto* block = static_cast<long*>(mi_malloc(48));
    *block = i;
    if (block == first) break;
  }
  other.join();
}
