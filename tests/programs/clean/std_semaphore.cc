// Expect: clean
// std::counting_semaphore and binary_semaphore, one acquirer each: acquirers that compete can lose
// a wakeup in libstdc++ 12 (see finds/libstdcxx_semaphore.cc).
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::counting_semaphore<10> items(0);
  std::binary_semaphore reply(0);
  int produced = 0;
  std::thread consumer([&] {
    for (int i = 0; i < 4; ++i) {
      items.acquire();
      assert(produced >= i + 1);
      reply.release();
    }
    while (!items.try_acquire()) std::this_thread::yield();
    if (!items.try_acquire_for(1ms)) items.acquire();
    assert(!items.try_acquire_until(std::chrono::steady_clock::now() + 1ms));
  });
  for (int i = 0; i < 4; ++i) {
    ++produced;
    items.release();
    reply.acquire();
  }
  items.release(2);
  consumer.join();
}
