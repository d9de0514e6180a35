// Expect: clean
// A slab with an atomic bitmap: a slot is taken by setting its bit, and given back by clearing it,
// which also publishes that no thread uses it any more.
#include <atomic>
#include <cassert>
#include <thread>

class Slab {
 public:
  int* Take() {
    unsigned used = used_.load(std::memory_order_relaxed);
    for (;;) {
      if (used == 0x7) return nullptr;
      unsigned slot = __builtin_ctz(~used);
      if (used_.compare_exchange_weak(used, used | 1u << slot, std::memory_order_acquire,
                                      std::memory_order_relaxed))
        return &slots_[slot];
    }
  }
  void Give(int* slot) { used_.fetch_and(~(1u << (slot - slots_)), std::memory_order_release); }
  bool Empty() const { return used_ == 0; }

 private:
  std::atomic<unsigned> used_ = 0;
  int slots_[3] = {};
};

int main() {
  Slab slab;
  auto body = [&](int id) {
    for (int i = 0; i < 2; ++i) {
      int* first = slab.Take();
      int* second = slab.Take();
      if (first != nullptr) *first = id;
      if (second != nullptr) *second = -id;
      if (first != nullptr) {
        assert(*first == id);
        slab.Give(first);
      }
      if (second != nullptr) {
        assert(*second == -id);
        slab.Give(second);
      }
    }
  };
  std::thread a(body, 1), b(body, 2), c(body, 3);
  a.join();
  b.join();
  c.join();
  assert(slab.Empty());
}
