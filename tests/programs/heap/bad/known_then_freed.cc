// Expect: heap
// Run: --races=report
// A thread uses a block again and again, without synchronising, frees it and uses it once more:
// that it was right before does not make it right now.
#include <thread>

long sum;

int main() {
  std::thread other([] {});
  long* block = new long[4]();
  for (int i = 0; i < 10; ++i) sum += block[i % 4];
  delete[] block;
  sum += block[2];  // heap
  other.join();
}
