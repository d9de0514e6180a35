// Expect: clean
// Flags: -fopenmp
// Tasks change their own copies of variables, in memory that the library gives to the next task;
// and tasks that reduce into one variable.
#include <omp.h>

#include <cassert>
#include <cstddef>

struct Copied {
  explicit Copied(int v) : value(v) {}
  Copied(const Copied& other) : value(other.value) {}
  int value;
};

int main() {
  Copied copied(1);
  int plain = 1, sum = 0, total = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int round = 0; round < 2; ++round) {
#pragma omp taskloop firstprivate(copied, plain) grainsize(1)
      for (int i = 0; i < 3; ++i) {
        copied.value += i;
        plain += copied.value;
        int done = plain;
#pragma omp atomic
        sum += done;
      }
      for (int i = 0; i < 2; ++i) {
#pragma omp task firstprivate(plain) shared(sum)
        {
          plain += i;
#pragma omp atomic
          sum += plain;
        }
      }
#pragma omp taskwait
    }
#pragma omp taskgroup task_reduction(+ : total)
    {
      for (int i = 0; i < 3; ++i) {
#pragma omp task in_reduction(+ : total) firstprivate(i)
        total += i;
      }
    }
    assert(total == 3);
  }
  assert(sum > 0);
#pragma omp parallel num_threads(2)
  {
    for (int i = 0; i < 2; ++i) {
      auto* memory = static_cast<int*>(omp_alloc(64, omp_default_mem_alloc));
      memory[0] = i;
      omp_free(memory, omp_default_mem_alloc);
    }
  }
}
