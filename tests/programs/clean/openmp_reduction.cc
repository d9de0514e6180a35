// Expect: clean
// Flags: -fopenmp
// A parallel region with a reduction, a static loop, and the region again: the threads are reused.
#include <cassert>

int main() {
  int sum = 0;
  for (int round = 0; round < 2; ++round) {
#pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += 1;
  }
  assert(sum == 6);
  int values[8];
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 8; ++i) values[i] = i;
  double product = 1;
  int least = 9;
#pragma omp parallel for num_threads(2) reduction(* : product) reduction(min : least)
  for (int i = 0; i < 8; ++i) {
    product *= values[i] + 1;
    if (values[i] < least) least = values[i];
  }
  assert(product == 40320 && least == 0);
}
