// Expect: clean
// Flags: -fopenmp
// teams and target regions, which run on the host where there is no device.
#include <cassert>

int main() {
  int values[6] = {}, sum = 0;
#pragma omp target teams distribute parallel for num_threads(2) map(tofrom : values)
  for (int i = 0; i < 6; ++i) values[i] = i;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp target nowait depend(out : sum) map(tofrom : sum) map(to : values)
    for (const int value : values) sum += value;
#pragma omp taskwait
  }
  assert(sum == 15);
}
