// Expect: clean
// Flags: -fopenmp
// Every schedule of a loop: each iteration is done once.
#include <omp.h>

#include <cassert>

int main() {
  int done[10] = {};
#pragma omp parallel num_threads(3)
  {
#pragma omp for schedule(static, 2)
    for (int i = 0; i < 10; ++i) ++done[i];
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 10; ++i) ++done[i];
#pragma omp for schedule(guided)
    for (int i = 0; i < 10; ++i) ++done[i];
#pragma omp for schedule(runtime)
    for (int i = 0; i < 10; ++i) ++done[i];
#pragma omp for schedule(dynamic, 3)
    for (unsigned long long i = 0; i < 10; ++i) ++done[i];
#pragma omp for collapse(2) schedule(dynamic)
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 2; ++j) ++done[i * 2 + j];
  }
#pragma omp parallel for num_threads(2) schedule(nonmonotonic : dynamic)
  for (int i = 0; i < 10; ++i) ++done[i];
  for (const int count : done) assert(count == 7);
}
