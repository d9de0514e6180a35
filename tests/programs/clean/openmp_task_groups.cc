// Expect: clean
// Flags: -fopenmp
// A task group waits for grandchildren, too; a barrier for all tasks; a taskloop for its own.
#include <cassert>

int main() {
  int leaves[4] = {}, loop[6] = {}, late = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    {
#pragma omp taskgroup
      for (int i = 0; i < 2; ++i) {
#pragma omp task
        for (int j = 0; j < 2; ++j) {
#pragma omp task
          leaves[i * 2 + j] = 1;
        }
      }
      for (const int leaf : leaves) assert(leaf == 1);
#pragma omp taskloop grainsize(2)
      for (int i = 0; i < 6; ++i) loop[i] = i;
      int sum = 0;
      for (const int value : loop) sum += value;
      assert(sum == 15);
    }
#pragma omp single nowait
    {
#pragma omp task
      late = 1;
    }
#pragma omp barrier
    assert(late == 1);
  }
}
