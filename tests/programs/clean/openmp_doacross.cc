// Expect: clean
// Flags: -fopenmp
// Iterations that wait for those that they depend on, in loops of one and of two dimensions.
#include <cassert>

constexpr int kSize = 4;

int main() {
  int sums[kSize + 1] = {1};
  int grid[kSize][kSize] = {};
  unsigned long long steps[kSize + 1] = {1};
#pragma omp parallel num_threads(2)
  {
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 1; i <= kSize; ++i) {
#pragma omp ordered depend(sink : i - 1)
      sums[i] = 2 * sums[i - 1];
#pragma omp ordered depend(source)
    }
#pragma omp for ordered(2) schedule(dynamic) nowait
    for (int i = 0; i < kSize; ++i) {
      for (int j = 0; j < kSize; ++j) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        grid[i][j] = 1 + (i > 0 ? grid[i - 1][j] : 0) + (j > 0 ? grid[i][j - 1] : 0);
#pragma omp ordered depend(source)
      }
    }
#pragma omp for ordered(1) schedule(guided)
    for (unsigned long long i = 1; i <= kSize; ++i) {
#pragma omp ordered depend(sink : i - 1)
      steps[i] = steps[i - 1] + i;
#pragma omp ordered depend(source)
    }
  }
  assert(sums[kSize] == 16);
  assert(grid[kSize - 1][kSize - 1] == 69);
  assert(steps[kSize] == 11);
}
