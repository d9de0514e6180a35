// Expect: race
// A counting semaphore with two units is no mutex: both threads are inside, at the same time. (The
// relaxed counter keeps each there until the other has come; it orders nothing.)
#include <atomic>
#include <semaphore>
#include <thread>

std::counting_semaphore<2> units(2);
std::atomic<int> inside;
int counter;

int main() {
  auto body = [] {
    units.acquire();
    inside.fetch_add(1, std::memory_order_relaxed);
    while (inside.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
    ++counter;  // race
    units.release();
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
}
