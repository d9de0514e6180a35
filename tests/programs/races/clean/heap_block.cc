// Expect: clean
// A heap block changes hands, and is freed by who got it.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int*> mailbox;

int main() {
  std::thread producer([] {
    int* block = new int[4]();
    block[2] = 42;
    mailbox.store(block, std::memory_order_release);
  });
  int* block;
  while ((block = mailbox.load(std::memory_order_acquire)) == nullptr) std::this_thread::yield();
  assert(block[2] == 42);
  delete[] block;
  producer.join();
}
