// Expect: livelock | deadlock | hang
// clean/flat_combining.cc, where a thread that does not get the lock only waits for its answer: the
// combiner may have passed its slot already.
#include <atomic>
#include <cassert>
#include <thread>

struct alignas(64) Slot {
  std::atomic<int> request = 0;
  int answer = 0;
};
Slot slots[3];
std::atomic_flag locked;
int balance;

int Add(int self, int amount) {
  Slot& mine = slots[self];
  mine.request.store(amount, std::memory_order_release);
  bool tried = false;
  while (mine.request.load(std::memory_order_acquire) != 0) {
    if (tried) {
      std::this_thread::yield();
      continue;
    }
    tried = true;
    if (locked.test_and_set(std::memory_order_acquire)) {
      std::this_thread::yield();
      continue;
    }
    for (Slot& slot : slots)
      if (int request = slot.request.load(std::memory_order_acquire)) {
        slot.answer = balance += request;
        slot.request.store(0, std::memory_order_release);
      }
    locked.clear(std::memory_order_release);
  }
  return mine.answer;
}

int main() {
  auto body = [](int self) {
    int before = 0;
    for (int i = 0; i < 2; ++i) {
      int after = Add(self, self + 1);
      assert(after >= before + self + 1);
      before = after;
    }
  };
  std::thread a(body, 0), b(body, 1), c(body, 2);
  a.join();
  b.join();
  c.join();
  assert(balance == 12);
}
