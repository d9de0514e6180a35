// Expect: clean
// Flags: -fopenmp -latomic
// Atomic updates of all sizes: those that the processor cannot do are done under a lock.
#include <cassert>

int main() {
  int count = 0;
  long double sum = 0;
  double real = 0;
  int tickets[4] = {};
#pragma omp parallel num_threads(2)
  {
    for (int i = 0; i < 2; ++i) {
      int mine;
#pragma omp atomic capture
      mine = count++;
#pragma omp atomic write
      tickets[mine] = 1;
#pragma omp atomic
      sum += 0.5L;
#pragma omp atomic
      real *= 2;
    }
    int now;
#pragma omp atomic read
    now = count;
    assert(now >= 2);
  }
  assert(count == 4 && sum == 2 && real == 0);
  for (const int ticket : tickets) assert(ticket == 1);
}
