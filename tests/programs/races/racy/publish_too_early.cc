// Expect: race
// The flag is set first, the data come after it.
#include <atomic>
#include <thread>

std::atomic<bool> ready;
int data;

int main() {
  std::thread producer([] {
    ready.store(true);
    data = 42;  // race
  });
  while (!ready.load()) std::this_thread::yield();
  volatile int seen = data;  // race
  (void)seen;
  producer.join();
}
