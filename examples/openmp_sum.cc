// A sum in parallel, without the reduction clause.
//
//     snag c++ -O1 -fopenmp openmp_sum.cc -o openmp_sum
//     snag run -- ./openmp_sum
#include <cstdio>

int sum = 0;

int main() {
  const int prices[] = {3, 5, 8, 2};
// The clause reduction(+ : sum) is missing.
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 4; ++i) {
    sum += prices[i];
  }
  std::printf("%d\n", sum);
}
