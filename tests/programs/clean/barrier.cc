// Expect: clean
// std::barrier: the completion function runs once a phase, alone, before anyone goes on;
// arrive_and_drop.
#include <barrier>
#include <cassert>
#include <thread>

int main() {
  int phase = 0, values[3] = {};
  std::barrier barrier(3, [&]() noexcept {
    ++phase;
    for (int value : values) assert(value == (phase < 4 ? phase : 3));
  });
  auto worker = [&](int me) {
    for (int i = 1; i <= 3; ++i) {
      values[me] = i;
      if (i == 2) {
        barrier.wait(barrier.arrive());
      } else {
        barrier.arrive_and_wait();
      }
      assert(phase == i);  // no thread can complete the next phase without this one
    }
    barrier.arrive_and_drop();
  };
  std::thread a(worker, 0), b(worker, 1), c(worker, 2);
  a.join();
  b.join();
  c.join();
  assert(phase == 4);
}
