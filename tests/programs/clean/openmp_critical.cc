// Expect: clean
// Flags: -fopenmp
// Critical sections, with and without names, one in another.
#include <cassert>

int main() {
  int plain = 0, named = 0, both = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp critical
    ++plain;
#pragma omp critical(counter)
    {
      ++named;
#pragma omp critical(inner)
      ++both;
    }
  }
  assert(plain == 3 && named == 3 && both == 3);
}
