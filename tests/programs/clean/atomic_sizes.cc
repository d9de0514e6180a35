// Expect: clean
// Flags: -mcx16 -latomic
// Atomics of 1, 2, 4, 8 and 16 bytes, and a struct of 3: every read-modify-write operation.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

template <class T>
void Integer() {
  std::atomic<T> sum = 0, bits = 0, top = 0, swapped = 0;
  auto body = [&](T id) {
    sum.fetch_add(id);
    sum += 3;
    --sum;
    bits.fetch_or(id);
    bits ^= T{8};
    bits.fetch_and(T{15}, std::memory_order_relaxed);
    for (T old = top.load();
         old < id && !top.compare_exchange_weak(old, id, std::memory_order_acq_rel);) {
    }
    T old = swapped.exchange(id);
    assert(old == 0 || old == 1 || old == 2);
  };
  std::thread a(body, T{1}), b(body, T{2});
  a.join();
  b.join();
  assert(sum == T{7} && bits == T{3} && top == T{2} && (swapped == T{1} || swapped == T{2}));
}

template <class S>
void Struct(S one) {
  std::atomic<S> value = S{};
  auto body = [&] {
    for (int i = 0; i < 2; ++i) {
      S old = value.load(), next;
      do {
        next = old;
        next.a += one.a;
        next.b += one.b;
      } while (!value.compare_exchange_strong(old, next));
    }
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
  S end = value.exchange(S{});
  assert(end.a == 4 * one.a && end.b == 4 * one.b && value.load().a == 0);
}

struct Three {
  char a, b, c;
};
struct Eight {
  int a, b;
};
struct Sixteen {
  std::int64_t a, b;
};

int main() {
  Integer<std::uint8_t>();
  Integer<std::uint16_t>();
  Integer<std::uint32_t>();
  Integer<std::uint64_t>();
  Struct(Three{1, 2, 0});
  Struct(Eight{3, 5});
  Struct(Sixteen{7, 9});
}
