// Expect: clean
// Two threads write and read parts of the same words, each its own, at different places.
#include <cassert>
#include <cstring>
#include <thread>

alignas(8) char text[16];
volatile std::size_t length = 2;

void Fill(char* begin) {
  std::memcpy(begin, "ab", length);
  begin[2] = 0;
  begin[1] = 'c';
  assert(begin[0] == 'a' && begin[1] == 'c' && begin[2] == 0);
}

int main() {
  std::thread other([] {
    Fill(text);
    Fill(text + 8);
  });
  Fill(text + 4 + 1);
  text[3] = 1;
  other.join();
  text[0] = text[5];
}
