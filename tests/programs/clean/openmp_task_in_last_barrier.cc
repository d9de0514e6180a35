// Expect: clean
// Flags: -fopenmp
// Tasks that are made by tasks which run at the end of the region: its end waits for them, too.
#include <cassert>

int result;

int main() {
#pragma omp parallel num_threads(2)
#pragma omp single nowait
  {
#pragma omp task
    {
#pragma omp task
      result = 1;
    }
  }
  assert(result == 1);
}
