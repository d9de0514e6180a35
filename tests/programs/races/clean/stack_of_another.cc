// Expect: clean
// A variable on a worker's stack is used by another thread, as long as its owner waits for that.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int*> offered;

int main() {
  std::thread owner([] {
    int mine = 0;
    offered.store(&mine);
    while (offered.load() != nullptr) std::this_thread::yield();
    assert(mine == 42);
  });
  int* found;
  while ((found = offered.load()) == nullptr) std::this_thread::yield();
  *found = 42;
  offered.store(nullptr);
  owner.join();
}
