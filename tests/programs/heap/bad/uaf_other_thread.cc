// Expect: heap
// Another thread frees the block, in every schedule before it is used.
#include <thread>

int main() {
  volatile int* number = new int(1);
  std::thread([=] { delete number; }).join();
  volatile int seen = *number;  // heap
  (void)seen;
}
