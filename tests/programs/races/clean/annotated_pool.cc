// Expect: clean
// A pool that says what it hands out (the annotation of <snag/allocator.h>): its new owner has
// nothing to do with the last one.
#include <snag/allocator.h>

#include <atomic>
#include <thread>

// As a library that was built without hooks: what orders its callers is not seen.
struct Pool {
  long block = 0;
  __attribute__((no_sanitize("thread"))) long* take() {
    SNAG_ALLOCATED(&block, sizeof block);
    return &block;
  }
  __attribute__((no_sanitize("thread"))) void give_back(long* taken) {
    SNAG_FREED(taken, sizeof *taken);
  }
};

int main() {
  Pool pool;
  std::atomic<bool> done{false};
  std::thread other([&] {
    long* block = pool.take();
    *block = 1;
    pool.give_back(block);
    done.store(true, std::memory_order_relaxed);
  });
  while (!done.load(std::memory_order_relaxed)) std::this_thread::yield();
  // (No SNAG_FREED on this side of the hand-over: it is the pool that knows.)
  long* block = pool.take();
  *block = 2;
  other.join();
  pool.give_back(block);
}
