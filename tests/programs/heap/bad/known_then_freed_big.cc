// Expect: heap
// Run: --races=report
// The same with a block that is too big to be one of many.
#include <thread>

int main() {
  std::thread other([] {});
  int* volatile block = new int[5000];
  for (int i = 0; i < 10'000; ++i) block[i % 5000] = i;
  delete[] block;
  block[4000] = 1;  // heap
  other.join();
}
