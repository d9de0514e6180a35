// Expect: clean
// Plain data handed over by release and acquire, with a chain of three threads.
#include <atomic>
#include <cassert>
#include <thread>

int data[3];
std::atomic<int> stage;

int main() {
  auto link = [](int me) {
    while (stage.load(std::memory_order_acquire) != me) std::this_thread::yield();
    for (int i = 0; i < me; ++i) assert(data[i] == i + 1);
    data[me] = me + 1;
    stage.store(me + 1, std::memory_order_release);
  };
  std::thread c(link, 2), b(link, 1), a(link, 0);
  a.join();
  b.join();
  c.join();
  assert(data[0] + data[1] + data[2] == 6);
}
