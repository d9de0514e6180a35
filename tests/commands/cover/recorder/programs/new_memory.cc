// Memory that is freed and used again holds other variables; so does the stack of a thread that has
// ended.
//
// modes: free control
// lp:
// target:
#include <cstdlib>
#include <thread>

void on_stack() {
  volatile long local[16];
  for (int i = 0; i < 16; ++i) local[i] = i;  // A
}

int main() {
  for (int round = 0; round < 3; ++round) {
    std::thread t([] {
      on_stack();
      auto* block = static_cast<volatile long*>(std::malloc(64));
      block[0] = 1;  // B
      std::free(const_cast<long*>(block));
    });
    t.join();
  }
}
