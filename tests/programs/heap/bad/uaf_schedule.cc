// Expect: heap
// The thread uses the block if it is still there; between the look and the use it may be freed.
#include <atomic>
#include <thread>

volatile int* block;
std::atomic<bool> is_there{true};

int main() {
  block = new int(1);
  std::thread user([] {
    if (is_there.load()) *block = 2;  // heap
  });
  is_there.store(false);
  delete block;
  user.join();
}
