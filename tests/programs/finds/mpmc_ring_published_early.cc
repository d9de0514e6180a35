// Expect: assert | race
// clean/mpmc_ring.cc, where the sequence number is stored before the value: a consumer takes the
// old value.
#include <atomic>
#include <cassert>
#include <thread>

class Ring {
 public:
  Ring() {
    for (unsigned i = 0; i < 2; ++i) cells_[i].sequence = i;
  }
  bool Push(int value) {
    for (unsigned at = tail_;;) {
      Cell& cell = cells_[at % 2];
      int lead = static_cast<int>(cell.sequence.load(std::memory_order_acquire) - at);
      if (lead < 0) return false;
      if (lead > 0) {
        at = tail_;
      } else if (tail_.compare_exchange_weak(at, at + 1)) {
        cell.sequence.store(at + 1, std::memory_order_release);
        cell.value = value;
        return true;
      }
    }
  }
  bool Pop(int* value) {
    for (unsigned at = head_;;) {
      Cell& cell = cells_[at % 2];
      int lead = static_cast<int>(cell.sequence.load(std::memory_order_acquire) - (at + 1));
      if (lead < 0) return false;
      if (lead > 0) {
        at = head_;
      } else if (head_.compare_exchange_weak(at, at + 1)) {
        *value = cell.value;
        cell.sequence.store(at + 2, std::memory_order_release);
        return true;
      }
    }
  }

 private:
  struct Cell {
    std::atomic<unsigned> sequence;
    int value = 0;
  };
  Cell cells_[2];
  std::atomic<unsigned> head_ = 0, tail_ = 0;
};

int main() {
  Ring ring;
  std::atomic<int> sum = 0;
  auto produce = [&](int value) {
    for (int i = 0; i < 2; ++i)
      while (!ring.Push(value)) std::this_thread::yield();
  };
  auto consume = [&] {
    for (int i = 0, value; i < 2; ++i) {
      while (!ring.Pop(&value)) std::this_thread::yield();
      sum += value;
    }
  };
  std::thread a(produce, 1), b(produce, 10), c(consume), d(consume);
  a.join();
  b.join();
  c.join();
  d.join();
  assert(sum == 22);
}
