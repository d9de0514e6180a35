// Expect: clean
// Flags: -fopenmp
// Cancelled loops, groups and regions. (Without OMP_CANCELLATION these do nothing.)
#include <cassert>

int main() {
  int found = 0, tasks = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for
    for (int i = 0; i < 6; ++i) {
      if (i == 3) {
#pragma omp atomic write
        found = 1;
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 3; ++i) {
#pragma omp task
      {
#pragma omp atomic
        ++tasks;
#pragma omp cancel taskgroup
      }
    }
#pragma omp barrier
    assert(found == 1 && tasks >= 1);
  }
}
