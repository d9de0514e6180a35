// Atomic operations of all sizes: loads, stores, modifications, exchanges that succeed or fail.
#include <atomic>
#include <cstdint>
#include <thread>

struct alignas(16) Wide {
  std::uint64_t low, high;
};

std::atomic<std::uint8_t> byte{0};
std::atomic<std::uint16_t> half{0};
std::atomic<std::uint32_t> word{0};
std::atomic<std::uint64_t> quad{0};
std::atomic<bool> flag{false};
std::atomic<int*> pointer{nullptr};
int target = 0;

template <class T>
void raise(std::atomic<T>& value) {
  T now = value.load(std::memory_order_relaxed);
  while (now < 3 && !value.compare_exchange_weak(now, static_cast<T>(now + 1))) {
  }
}

void work(int who) {
  raise(byte);
  raise(half);
  raise(word);
  raise(quad);
  byte.fetch_or(static_cast<std::uint8_t>(1 << who));
  half.exchange(static_cast<std::uint16_t>(who));
  word -= 1;
  std::uint64_t wanted = 2;
  quad.compare_exchange_strong(wanted, 7);
  if (!flag.exchange(true)) pointer.store(&target, std::memory_order_release);
  if (int* got = pointer.load(std::memory_order_acquire)) {
    if (who == 1) *got = who;
  }
}

int main() {
  std::thread a(work, 1), b(work, 2), c(work, 3);
  a.join();
  b.join();
  c.join();
  return target > 1;
}
