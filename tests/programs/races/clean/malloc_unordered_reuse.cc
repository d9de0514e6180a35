// Expect: clean
// Two threads that know nothing of each other: one frees a block, the other one may get the same
// memory from the allocator.
#include <cassert>
#include <cstdlib>
#include <thread>

int main() {
  auto body = [](int self) {
    for (int i = 0; i < 4; ++i) {
      int* block = static_cast<int*>(std::malloc(2000));
      for (int j = 0; j < 500; j += 100) block[j] = self;
      assert(block[400] == self);
      std::free(block);
    }
  };
  std::thread first(body, 1), second(body, 2);
  first.join();
  second.join();
}
