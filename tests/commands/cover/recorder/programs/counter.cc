// Two threads count under a lock: the thread that has read also writes next.
//
// modes: control
// runs: 60
// lp: W>R
// target: R>W W>R W>W
// du: W>R
#include <mutex>
#include <thread>

std::mutex m;
volatile long x;

void add() {
  std::lock_guard<std::mutex> guard(m);
  long seen = x;  // R
  x = seen + 1;   // W
}

int main() {
  std::thread a(add), b(add);
  a.join();
  b.join();
}
