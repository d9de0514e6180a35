// Expect: heap
// Run: --races=report
// The same with single bytes of a block.
#include <thread>

int main() {
  std::thread other([] {});
  char* volatile block = new char[13];
  for (int i = 0; i < 26; ++i) block[i % 13] = 'a';
  delete[] block;
  block[12] = 'b';  // heap
  other.join();
}
