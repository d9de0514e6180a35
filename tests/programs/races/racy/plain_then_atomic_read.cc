// Expect: race
// A plain read, then an atomic one by the same thread, and an atomic write by another: the plain
// read races, however often the variable was read atomically since.
#include <atomic>
#include <thread>

static int value = 0, seen;
static std::atomic<bool> was_read{false};

int main() {
  std::thread reader([] {
    seen = value;  // race
    seen += __atomic_load_n(&value, __ATOMIC_RELAXED);
    was_read.store(true, std::memory_order_relaxed);
  });
  std::thread writer([] {
    while (!was_read.load(std::memory_order_relaxed)) std::this_thread::yield();
    __atomic_store_n(&value, 1, __ATOMIC_RELAXED);  // race
  });
  reader.join();
  writer.join();
}
