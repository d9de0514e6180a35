// Expect: clean
// A ticket lock: only the thread whose turn it is can go on, so the scheduler must reach it.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> next_ticket, now_serving;
int count;

int main() {
  auto body = [] {
    for (int i = 0; i < 2; ++i) {
      unsigned mine = next_ticket.fetch_add(1, std::memory_order_relaxed);
      while (now_serving.load(std::memory_order_acquire) != mine) {
      }
      ++count;
      now_serving.store(mine + 1, std::memory_order_release);
    }
  };
  std::thread a(body), b(body), c(body);
  a.join();
  b.join();
  c.join();
  assert(count == 6);
}
