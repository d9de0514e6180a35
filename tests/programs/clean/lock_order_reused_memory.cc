// Expect: clean
// The order is by position in a list, and memory of a removed element is used at another position.
#include <atomic>
#include <mutex>
#include <new>
#include <thread>

alignas(std::mutex) unsigned char memory[2][sizeof(std::mutex)];
std::atomic<int> stage;

void in_order(int first, int second) {
  auto* a = new (memory[first]) std::mutex;
  auto* b = new (memory[second]) std::mutex;
  a->lock();
  b->lock();
  b->unlock();
  a->unlock();
}

int main() {
  std::thread one([] {
    in_order(0, 1);
    stage = 1;
  });
  while (stage != 1) {
  }
  in_order(1, 0);
  one.join();
}
