// Expect: race
// One thread writes all 8 bytes of a union, another one reads the byte at offset 5.
#include <cstdint>
#include <thread>

union Word {
  std::uint64_t whole;
  unsigned char bytes[8];
} word;

int main() {
  std::thread writer([] { word.whole = ~std::uint64_t{0}; });  // race
  volatile unsigned char seen = word.bytes[5];                 // race
  (void)seen;
  writer.join();
}
