// Expect: clean
// Flags: -fopenmp
// Run: --processors 3
// A team has a thread for each processor.
#include <omp.h>

#include <cassert>

int main() {
  int threads = 0;
#pragma omp parallel
#pragma omp atomic
  ++threads;
  assert(threads == 3 && omp_get_num_procs() == 3 && omp_get_max_threads() == 3);
}
