// Expect: assert
// Flags: -fopenmp
// Nothing says that both threads get a part of a dynamic loop.
#include <omp.h>

#include <cassert>

int main() {
  int parts[2] = {};
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; ++i) ++parts[omp_get_thread_num()];
#pragma omp single
    assert(parts[0] > 0 && parts[1] > 0);
  }
}
