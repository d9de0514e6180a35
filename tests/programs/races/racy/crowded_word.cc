// Expect: race
// Between the two accesses that race, the second thread touches six other bytes of the same word: a
// detector that remembers few accesses for each word forgets the first.
#include <atomic>
#include <thread>

alignas(64) volatile unsigned char bytes[8];
alignas(64) std::atomic<bool> written;

int main() {
  std::thread writer([] {
    bytes[0] = 1;  // race
    written.store(true, std::memory_order_relaxed);
  });
  while (!written.load(std::memory_order_relaxed)) std::this_thread::yield();
  for (int i = 1; i < 7; ++i) bytes[i] = 1;
  unsigned char seen = bytes[0];  // race
  writer.join();
  return seen > 1;
}
