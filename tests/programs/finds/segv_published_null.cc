// Expect: signal
// The flag is set before the pointer: a reader between the two dereferences null.
#include <atomic>
#include <thread>

std::atomic<int*> pointer;
std::atomic<bool> ready;

int main() {
  std::thread reader([] {
    if (ready) *pointer.load() = 1;
  });
  int target = 0;
  ready = true;
  pointer = &target;
  reader.join();
}
