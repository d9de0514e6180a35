// One variable goes from main to a thread and back; what is ordered by create and join is exact in
// every mode.
//
// modes: free control
// lp: A>B C>D
// target: A>B B>A A>C C>A C>D D>C
// du: A>B C>D
// du-target: A>B C>D
#include <thread>

volatile long x;

int main() {
  x = 1;  // A
  std::thread t([] {
    long seen = x;  // B
    x = seen + 1;   // C
  });
  t.join();
  return x == 2 ? 0 : 1;  // D
}
