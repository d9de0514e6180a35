// Expect: clean
// Flags: -fopenmp
// Ordered loops: the ordered parts come one after the other.
#include <cassert>

int main() {
  int next = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < 6; ++i) {
#pragma omp ordered
      {
        assert(next == i);
        next = i + 1;
      }
    }
#pragma omp for ordered schedule(static, 1)
    for (int i = 6; i < 10; ++i) {
#pragma omp ordered
      {
        assert(next == i);
        next = i + 1;
      }
    }
  }
  assert(next == 10);
}
