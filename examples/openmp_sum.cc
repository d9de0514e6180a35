// A sum in parallel, without the reduction clause.
//
//     snag c++ -O1 -fopenmp openmp_sum.cc -o openmp_sum
//     snag run -- ./openmp_sum
#include <cstdio>

int main() {
  const int prices[] = {3, 5, 8, 2};
  int sum = 0;
#pragma omp parallel for num_threads(2)  // reduction(+ : sum) is missing
  for (int i = 0; i < 4; ++i) sum += prices[i];
  std::printf("%d\n", sum);
}
