// Expect: clean
// std::atomic wait and notify: int (a futex of its own), 8 bytes and small structs (a shared one),
// atomic_flag.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

struct Small {
  std::int16_t a, b;
};

int main() {
  std::atomic<int> number = 0;
  std::atomic<std::int64_t> wide = 0;
  std::atomic<Small> small = Small{0, 0};
  std::atomic_flag flag;
  int data = 0;
  auto waiter = [&] {
    number.wait(0);
    assert(number.load() != 0 && data == 1);
    wide.wait(0);
    small.wait(Small{0, 0});
    assert(small.load().b == 2);
    flag.wait(false);
    assert(flag.test());
  };
  std::thread a(waiter), b(waiter);
  data = 1;
  number = 1;
  number.notify_all();
  wide = std::int64_t{1} << 40;  // the low half stays 0
  wide.notify_all();
  small = Small{1, 2};
  small.notify_all();
  flag.test_and_set();
  flag.notify_all();
  a.join();
  b.join();

  std::atomic<bool> turn = false;
  std::thread c([&] {
    for (int i = 0; i < 2; ++i) {
      turn.wait(false);
      turn = false;
      turn.notify_one();
    }
  });
  for (int i = 0; i < 2; ++i) {
    turn = true;
    turn.notify_one();
    turn.wait(true);
  }
  c.join();
}
