// Expect: race
// A word whose bytes are written at three places, and then again: the last ones count.
#include <thread>

alignas(8) char text[8];

int main() {
  std::thread other([] { text[1] = '!'; });  // race
  text[0] = 'a';
  text[1] = 'b';  // race
  text[2] = 'c';
  text[3] = 0;
  text[2] = 'd';
  other.join();
}
