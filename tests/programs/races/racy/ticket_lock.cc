// Expect: race
// A ticket lock that hands over with a relaxed increment.
#include <atomic>
#include <thread>

std::atomic<int> next_ticket, serving;
int counter;

int main() {
  auto body = [] {
    int mine = next_ticket.fetch_add(1, std::memory_order_relaxed);
    while (serving.load(std::memory_order_acquire) != mine) std::this_thread::yield();
    ++counter;  // race
    serving.fetch_add(1, std::memory_order_relaxed);
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
}
