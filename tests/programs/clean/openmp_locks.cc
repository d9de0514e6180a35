// Expect: clean
// Flags: -fopenmp
// Locks: waiting, trying, and taken again.
#include <omp.h>

#include <cassert>

int main() {
  omp_lock_t lock;
  omp_nest_lock_t nested;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nested);
  int count = 0, deep = 0, missed = 0;
#pragma omp parallel num_threads(3)
  {
    omp_set_lock(&lock);
    ++count;
    omp_unset_lock(&lock);
    if (omp_test_lock(&lock)) {
      ++count;
      omp_unset_lock(&lock);
    } else {
#pragma omp atomic
      ++missed;
    }
    omp_set_nest_lock(&nested);
    omp_set_nest_lock(&nested);
    ++deep;
    if (omp_test_nest_lock(&nested)) omp_unset_nest_lock(&nested);
    omp_unset_nest_lock(&nested);
    omp_unset_nest_lock(&nested);
  }
  assert(count + missed == 6 && deep == 3);
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nested);
}
