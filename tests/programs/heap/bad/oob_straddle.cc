// Expect: heap
// An access of 8 bytes that begins inside the block, and ends two bytes behind it.
#include <cstdint>
#include <cstdlib>

int main() {
  char* block = static_cast<char*>(std::calloc(1, 22));
  auto* last = reinterpret_cast<volatile std::uint64_t*>(block + 16);
  volatile std::uint64_t seen = *last;  // heap
  (void)seen;
  std::free(block);
}
