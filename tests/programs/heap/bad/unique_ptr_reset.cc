// Expect: heap
// The raw pointer of a unique_ptr, used after reset.
#include <memory>

int main() {
  auto owner = std::make_unique<int>(1);
  volatile int* raw = owner.get();
  owner.reset();
  *raw = 2;  // heap
}
