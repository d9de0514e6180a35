// Expect: race
// Flags: -fopenmp
// An iteration waits for the one before the one that it reads from.
int sums[6] = {1};

int main() {
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(3)
  for (int i = 1; i < 6; ++i) {
#pragma omp ordered depend(sink : i - 2)
    sums[i] = 2 * sums[i - 1];  // race
#pragma omp ordered depend(source)
  }
  return sums[5] > 100;
}
