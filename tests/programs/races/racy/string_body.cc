// Expect: race
// What was copied lies in the same word as the end of the string: the race is with the copy alone.
#include <cstring>
#include <thread>

alignas(8) char text[8], copy[8];
const char* volatile from = "abc";
volatile std::size_t length = 3;

int main() {
  std::thread other([] { copy[0] = text[1]; });  // race
  std::memcpy(text, from, length);               // race
  text[3] = 0;
  other.join();
}
