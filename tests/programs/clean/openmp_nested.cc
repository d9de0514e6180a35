// Expect: clean
// Flags: -fopenmp
// Regions in regions, each with its own barriers.
#include <omp.h>

#include <cassert>

int main() {
  omp_set_max_active_levels(2);
  int sums[2] = {};
#pragma omp parallel num_threads(2)
  {
    const int outer = omp_get_thread_num();
    int stage[2] = {};
#pragma omp parallel num_threads(2) shared(stage)
    {
      const int inner = omp_get_thread_num();
      stage[inner] = outer + 1;
#pragma omp barrier
      const int other = stage[1 - inner];
#pragma omp atomic
      sums[outer] += other;
    }
#pragma omp barrier
    assert(sums[1 - outer] == 2 * (2 - outer));
  }
}
