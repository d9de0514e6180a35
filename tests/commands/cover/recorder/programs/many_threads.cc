// More threads, one after the other, than can be distinguished: their numbers are used again, so
// that the last ones count, too.
//
// modes: free
// lp: A>A A>B
// target: A>A A>B B>A
#include <thread>

volatile long shared;

void set() { shared = 1; }     // A
long get() { return shared; }  // B

int main() {
  for (int i = 0; i < 2500; ++i) std::thread(set).join();
  std::thread(get).join();
}
