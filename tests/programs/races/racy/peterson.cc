// Expect: race
// Peterson's lock with relaxed atomics: nothing orders the two critical sections.
#include <atomic>
#include <thread>

std::atomic<bool> wants[2];
std::atomic<int> turn;
int counter;

int main() {
  auto body = [](int self) {
    wants[self].store(true, std::memory_order_relaxed);
    turn.store(1 - self, std::memory_order_relaxed);
    while (wants[1 - self].load(std::memory_order_relaxed) &&
           turn.load(std::memory_order_relaxed) != self)
      std::this_thread::yield();
    ++counter;  // race
    wants[self].store(false, std::memory_order_relaxed);
  };
  std::thread first(body, 0), second(body, 1);
  first.join();
  second.join();
}
