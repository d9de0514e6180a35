// Expect: clean
// std::latch: count_down, wait, try_wait, arrive_and_wait; no thread passes before all have
// arrived.
#include <atomic>
#include <cassert>
#include <latch>
#include <thread>

int main() {
  std::latch start(1), done(3), together(4);
  std::atomic<int> arrived = 0;
  int results[3] = {};
  auto worker = [&](int i) {
    start.wait();
    results[i] = i + 1;
    done.count_down();
    ++arrived;
    together.arrive_and_wait();
    assert(arrived == 4);
  };
  std::thread a(worker, 0), b(worker, 1), c(worker, 2);
  assert(!start.try_wait());
  start.count_down();
  done.wait();
  assert(results[0] + results[1] + results[2] == 6);
  ++arrived;
  together.arrive_and_wait();
  assert(arrived == 4 && together.try_wait());
  a.join();
  b.join();
  c.join();
}
