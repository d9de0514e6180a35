// Expect: heap
// Run: --races=report
// Memory that a thread used belongs to a smaller block later, in the same place: what lies behind
// it was right once, and is wrong now.
#include <thread>

int main() {
  std::thread other([] {});
  // Until the memory of blocks that were freed is used again, many times.
  for (int i = 0; i < 2'000; ++i) {
    char* volatile block = new char[40];
    for (int j = 32; j < 40; ++j) block[j] = 'a';
    delete[] block;
    char* volatile smaller = new char[33];
    smaller[32] = 'b';
    if (i == 1'999) smaller[36] = 'c';  // heap
    delete[] smaller;
  }
  other.join();
}
