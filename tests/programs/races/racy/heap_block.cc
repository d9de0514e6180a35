// Expect: race
// A heap block is filled after its address was given away.
#include <atomic>
#include <thread>

std::atomic<int*> mailbox;

int main() {
  std::thread producer([] {
    int* block = new int[4]();
    mailbox.store(block);
    block[2] = 42;  // race
  });
  int* block;
  while ((block = mailbox.load()) == nullptr) std::this_thread::yield();
  volatile int seen = block[2];  // race
  (void)seen;
  producer.join();
  delete[] block;
}
