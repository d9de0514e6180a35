// Expect: clean
//
// Accesses through a null pointer touch no memory, so that they cannot race: they crash. Here only
// the compiler's hooks are called, which stand before the accesses.
#include <thread>

struct Node {
  long key, value;
};

extern "C" void __tsan_write8(void* address);

Node* volatile node = nullptr;

void Work() {
  for (int i = 0; i < 3; ++i) __tsan_write8(&node->value);
}

int main() {
  std::thread one(Work), two(Work);
  one.join();
  two.join();
}
