// One place reads variables that all have different histories, so often that the recorder no longer
// guesses what it will find there. What another thread does is still seen.
//
// modes: free control
// lp: R>V V>R
// target: A>V V>A B>V V>B C>V V>C D>V V>D E>V V>E R>V V>R
// du: V>R
// du-target: V>R
#include <thread>

volatile long x[5];

__attribute__((noinline)) long read_one(volatile long& variable) {
  return variable;  // R
}

long read_all() {
  long sum = 0;
  for (volatile long& variable : x) sum += read_one(variable);
  return sum;
}

int main() {
  for (int round = 0; round < 1000; ++round) {
    x[0] = 1;  // A
    x[1] = 1;  // B
    x[2] = 1;  // C
    x[3] = 1;  // D
    x[4] = 1;  // E
    if (read_all() != 5) return 1;
  }
  std::thread other([] {
    for (volatile long& variable : x) variable = 2;  // V
  });
  other.join();
  return read_all() == 10 ? 0 : 1;
}
