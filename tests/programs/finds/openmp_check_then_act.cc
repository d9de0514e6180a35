// Expect: assert
// Flags: -fopenmp
// Between the two critical sections another thread may have taken the last one.
#include <cassert>

int main() {
  int left = 1;
#pragma omp parallel num_threads(2)
  {
    bool any;
#pragma omp critical
    any = left > 0;
    if (any) {
#pragma omp critical
      {
        --left;
        assert(left >= 0);
      }
    }
  }
}
