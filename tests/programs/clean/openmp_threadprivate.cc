// Expect: clean
// Flags: -fopenmp
// Variables of each thread, which keep their values from one region to the next.
#include <cassert>

int counter = 3;
#pragma omp threadprivate(counter)

int main() {
  int total = 0, last = 0;
#pragma omp parallel num_threads(3) copyin(counter)
  ++counter;
#pragma omp parallel num_threads(3) reduction(+ : total)
  total += counter;
  assert(total == 12);
#pragma omp parallel for num_threads(2) lastprivate(last) firstprivate(total)
  for (int i = 0; i < 4; ++i) last = i + total;
  assert(last == 15);
}
