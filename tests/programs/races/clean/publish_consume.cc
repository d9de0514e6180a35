// Expect: clean
// A consume load; what it leads to is reached through its value only.
#include <atomic>
#include <cassert>
#include <thread>

int storage;
std::atomic<int*> published;

int main() {
  std::thread producer([] {
    storage = 42;
    published.store(&storage, std::memory_order_release);
  });
  int* found;
  while ((found = published.load(std::memory_order_consume)) == nullptr) std::this_thread::yield();
  assert(*found == 42);
  producer.join();
}
