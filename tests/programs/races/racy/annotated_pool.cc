// Expect: race
// A block that is still used when the pool has taken it back.
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
    SNAG_FREED(taken, sizeof *taken);  // race
  }
};

int main() {
  Pool pool;
  long* block = pool.take();
  std::thread other([&] {
    *block = 1;  // race
  });
  pool.give_back(block);
  other.join();
}
