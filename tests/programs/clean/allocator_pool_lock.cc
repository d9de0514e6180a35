// Expect: clean
// A standard allocator over one pool with a locked free list: blocks that one thread's list gives
// back are handed to the other one's.
#include <cassert>
#include <cstddef>
#include <list>
#include <mutex>
#include <new>
#include <thread>

class Pool {
 public:
  void* Take() {
    std::lock_guard lock(mutex_);
    if (free_ != nullptr) {
      Block* block = free_;
      free_ = block->next;
      return block;
    }
    if (used_ == 32) throw std::bad_alloc();
    return &blocks_[used_++];
  }
  void Give(void* memory) {
    std::lock_guard lock(mutex_);
    free_ = ::new (memory) Block{free_};
  }
  static Pool& Instance() {
    static Pool pool;
    return pool;
  }

 private:
  struct Block {
    Block* next;
    char rest[56];
  };
  std::mutex mutex_;
  Block blocks_[32];
  int used_ = 0;
  Block* free_ = nullptr;
};

template <class T>
struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <class U>
  Allocator(const Allocator<U>&) {}
  T* allocate(std::size_t count) {
    assert(count == 1 && sizeof(T) <= 64);
    return static_cast<T*>(Pool::Instance().Take());
  }
  void deallocate(T* memory, std::size_t) { Pool::Instance().Give(memory); }
  bool operator==(const Allocator&) const { return true; }
};

int main() {
  auto body = [](int first) {
    std::list<int, Allocator<int>> list;
    for (int i = 0; i < 5; ++i) {
      list.push_back(first + i);
      if (i % 2 == 1) list.pop_front();
    }
    int sum = 0;
    for (int value : list) sum += value;
    assert(sum == 3 * first + 2 + 3 + 4);
  };
  std::thread a(body, 0), b(body, 100);
  a.join();
  b.join();
}
