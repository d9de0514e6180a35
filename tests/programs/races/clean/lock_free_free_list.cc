// Expect: clean
// A pool with a free list by compare and exchange: what it hands out again is ordered by that, and
// no annotation is needed.
#include <atomic>
#include <thread>

struct Block {
  Block* next;
  long value;
};
Block blocks[4];
std::atomic<Block*> free_list{nullptr};

void give_back(Block* block) {
  block->next = free_list.load(std::memory_order_relaxed);
  while (!free_list.compare_exchange_weak(block->next, block, std::memory_order_release,
                                          std::memory_order_relaxed)) {
  }
}
// (All of it, so that no block can come back meanwhile.)
Block* take_all() { return free_list.exchange(nullptr, std::memory_order_acquire); }

void work() {
  for (int i = 0; i < 3; ++i) {
    for (Block* block = take_all(); block;) {
      Block* next = block->next;
      block->value += i;
      give_back(block);
      block = next;
    }
  }
}

int main() {
  for (Block& block : blocks) give_back(&block);
  std::thread a(work), b(work);
  a.join();
  b.join();
}
