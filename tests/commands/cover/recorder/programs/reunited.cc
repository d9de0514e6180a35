// Bytes of a word that were accessed one by one, and then the whole of it.
//
// modes: free control
// lp: A>C B>C C>D
// target: A>C C>A B>C C>B C>D D>C
// du: A>C B>C
// du-target: A>C B>C D>C
#include <thread>

union Word {
  volatile int all;
  volatile short halves[2];
} word;

int main() {
  word.halves[0] = 1;  // A
  word.halves[1] = 2;  // B
  std::thread t([] {
    int seen = word.all;  // C
    (void)seen;
  });
  t.join();
  word.all = 0;  // D
}
