// Expect: assert | heap
// clean/allocator_magazines.cc, where a full cache is handed back and kept as well: two threads get
// the same block.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

struct Block {
  int owner = 0;
};

std::mutex mutex;
std::vector<Block*> depot;

class Cache {
 public:
  ~Cache() {
    std::lock_guard lock(mutex);
    depot.insert(depot.end(), blocks_.begin(), blocks_.end());
  }
  Block* Take() {
    if (blocks_.empty()) {
      std::lock_guard lock(mutex);
      for (int i = 0; i < 2 && !depot.empty(); ++i) {
        blocks_.push_back(depot.back());
        depot.pop_back();
      }
    }
    if (blocks_.empty()) return new Block;
    Block* block = blocks_.back();
    blocks_.pop_back();
    return block;
  }
  void Give(Block* block) {
    blocks_.push_back(block);
    if (blocks_.size() < 3) return;
    std::lock_guard lock(mutex);
    depot.insert(depot.end(), blocks_.begin(), blocks_.end());
  }

 private:
  std::vector<Block*> blocks_;
};

thread_local Cache cache;

int main() {
  auto body = [](int id) {
    Block* taken[3];
    for (int round = 0; round < 2; ++round) {
      for (Block*& block : taken) (block = cache.Take())->owner = id;
      for (Block* block : taken) {
        assert(block->owner == id);
        cache.Give(block);
      }
    }
  };
  std::thread a(body, 1), b(body, 2), c(body, 3);
  a.join();
  b.join();
  c.join();
  for (Block* block : depot) delete block;
}
