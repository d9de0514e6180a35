// A program that keeps its memory from being swapped out: what the recorder remembers of a thread
// cannot be given back to the system as usual, and must not become another thread's.
//
// modes: free
// lp: B>A
// target: A>A A>B B>A
#include <sys/mman.h>

#include <thread>

long shared[64];

long access_all() {
  long sum = 0;
  for (volatile long& each : shared) each = 1;           // A
  for (const volatile long& each : shared) sum += each;  // B
  return sum;
}

int main() {
  mlockall(MCL_FUTURE);  // (If it may not, all is as usual.)
  for (int i = 0; i < 3; ++i) std::thread(access_all).join();
}
