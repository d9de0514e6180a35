// Expect: clean
// Flags: -fopenmp
// Sections, in a region of their own and in a larger one: what they leave is seen by all.
#include <cassert>

int main() {
  int a = 0, b = 0, c = 0, seen = 0;
#pragma omp parallel sections num_threads(2)
  {
    a = 1;
#pragma omp section
    b = 2;
#pragma omp section
    c = 3;
  }
#pragma omp parallel num_threads(2)
  {
#pragma omp sections
    {
      a += 1;
#pragma omp section
      b += 2;
    }
    const int sum = a + b + c;
#pragma omp atomic
    seen += sum;
  }
  assert(seen == 2 * (2 + 4 + 3));
}
