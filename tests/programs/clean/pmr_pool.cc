// Expect: clean
// std::pmr::synchronized_pool_resource: allocated in one thread, freed in another, all of it given
// back.
#include <atomic>
#include <cassert>
#include <list>
#include <memory_resource>
#include <string>
#include <thread>

struct Counting : std::pmr::memory_resource {
  std::atomic<long> bytes = 0;
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    bytes += static_cast<long>(size);
    return std::pmr::new_delete_resource()->allocate(size, alignment);
  }
  void do_deallocate(void* pointer, std::size_t size, std::size_t alignment) override {
    bytes -= static_cast<long>(size);
    std::pmr::new_delete_resource()->deallocate(pointer, size, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

int main() {
  Counting upstream;
  {
    std::pmr::synchronized_pool_resource pool(&upstream);
    std::pmr::list<std::pmr::string> kept(&pool);
    void* handed = nullptr;
    std::thread a([&] {
      std::pmr::list<int> mine({1, 2, 3}, &pool);
      handed = pool.allocate(40);
      assert(mine.back() == 3);
    });
    std::thread b([&] {
      for (int i = 0; i < 3; ++i)
        kept.emplace_back("a string that is too long for the small buffer");
    });
    a.join();
    pool.deallocate(handed, 40);
    b.join();
    assert(kept.size() == 3 && upstream.bytes > 0);
  }
  assert(upstream.bytes == 0);
}
