// Expect: deadlock
// Flags: -fopenmp
// Two locks, taken in opposite orders.
#include <omp.h>

omp_lock_t from, to;
int moved = 0;

int main() {
  omp_init_lock(&from);
  omp_init_lock(&to);
#pragma omp parallel sections num_threads(2)
  {
    {
      omp_set_lock(&from);
      omp_set_lock(&to);
      ++moved;
      omp_unset_lock(&to);
      omp_unset_lock(&from);
    }
#pragma omp section
    {
      omp_set_lock(&to);
      omp_set_lock(&from);
      ++moved;
      omp_unset_lock(&from);
      omp_unset_lock(&to);
    }
  }
}
