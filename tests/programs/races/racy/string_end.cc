// Expect: race
// The end of a string lies in the same word as what was copied before it: the race is with the end
// alone.
#include <cstring>
#include <thread>

alignas(8) char text[8];

int main() {
  std::thread other([] { text[3] = '!'; });  // race
  std::memcpy(text, "abc", 3);
  text[3] = 0;  // race
  other.join();
}
