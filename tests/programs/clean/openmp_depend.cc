// Expect: clean
// Flags: -fopenmp
// Tasks in the order of their depend clauses: a writer, two readers, a writer.
#include <cassert>

int main() {
  int value = 0, left = 0, right = 0, sum = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp task depend(out : value)
    value = 4;
#pragma omp task depend(in : value) depend(out : left)
    left = value + 1;
#pragma omp task depend(in : value) depend(out : right)
    right = value + 2;
#pragma omp task depend(in : left, right) depend(inout : value)
    {
      value = 0;
      sum = left + right;
    }
#pragma omp taskwait depend(in : value)
    assert(value == 0 && sum == 11);
#pragma omp task depend(inout : sum)
    ++sum;
#pragma omp task depend(mutexinoutset : sum)
    ++sum;
#pragma omp task depend(mutexinoutset : sum)
    ++sum;
  }
  assert(sum == 14);
}
