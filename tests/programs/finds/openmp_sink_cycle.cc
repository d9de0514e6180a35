// Expect: deadlock
// Flags: -fopenmp
// Iterations wait for each other: the first one for the last one.
int main() {
  int sum = 0;
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
  for (int i = 0; i < 2; ++i) {
#pragma omp ordered depend(sink : i + 1)
#pragma omp ordered depend(sink : i - 1)
#pragma omp atomic
    sum += i;
#pragma omp ordered depend(source)
  }
  return sum > 1;
}
