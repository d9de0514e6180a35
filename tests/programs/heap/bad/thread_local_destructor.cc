// Expect: heap
// The destructor of a thread_local object frees a block that another thread still knows.
#include <thread>

struct Owner {
  int* block = nullptr;
  ~Owner() { delete block; }
};
thread_local Owner owner;

int main() {
  volatile int* known = nullptr;
  std::thread([&] { known = owner.block = new int(1); }).join();
  *known = 2;  // heap
}
