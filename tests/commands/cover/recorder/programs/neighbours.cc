// Variables that share a word, and wide accesses that meet single bytes.
//
// modes: free control
// lp: C>D D>F
// target: C>D D>C D>F F>D
// du: D>F
// du-target: D>F
#include <thread>

volatile char first, second;
union Word {
  volatile int all;
  volatile char bytes[4];
} word;

int main() {
  first = 1;     // A
  word.all = 0;  // C
  std::thread t([] {
    second = 2;         // B
    word.bytes[1] = 7;  // D
  });
  t.join();
  int sum = word.bytes[0];  // E
  sum += word.bytes[1];     // F
  return sum == 7 ? 0 : 1;
}
