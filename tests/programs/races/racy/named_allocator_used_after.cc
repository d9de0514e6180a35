// Expect: race
// Run: --allocator take/give
// A thread still writes to a block that another one has given back to an allocator of the program's
// own.
#include <cstddef>
#include <thread>

long blocks[4][8];
int used;

extern "C" __attribute__((noinline, no_sanitize("thread"))) void* take(std::size_t size) {
  asm volatile("" ::"r"(size));
  return blocks[used++];
}
extern "C" __attribute__((noinline, no_sanitize("thread"))) void give(void* block) {
  asm volatile("" ::"r"(block) : "memory");
  --used;
}

int main() {
  auto* block = static_cast<long*>(take(16));
  std::thread user([block] {
    block[1] = 1;  // race
  });
  give(block);  // race
  user.join();
}
