// Expect: clean
// A ticket lock; drawing the ticket may be relaxed.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> next_ticket, serving;
int counter;

int main() {
  auto body = [] {
    int mine = next_ticket.fetch_add(1, std::memory_order_relaxed);
    while (serving.load(std::memory_order_acquire) != mine) std::this_thread::yield();
    ++counter;
    serving.fetch_add(1, std::memory_order_release);
  };
  std::thread first(body), second(body), third(body);
  first.join();
  second.join();
  third.join();
  assert(counter == 3);
}
