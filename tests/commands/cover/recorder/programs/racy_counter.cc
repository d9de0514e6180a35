// The same without the lock: everything can be next to everything.
//
// modes: control
// runs: 200
// lp: R>W W>R W>W
// target: R>W W>R W>W
#include <thread>

volatile long x;

void add() {
  long seen = x;  // R
  x = seen + 1;   // W
}

int main() {
  std::thread a(add), b(add);
  a.join();
  b.join();
}
