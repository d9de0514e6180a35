// Expect: race
// Flags: -fopenmp
// Without the barrier at the end of the first loop, a neighbour's part may not be there yet.
int values[4], sums[4];

int main() {
#pragma omp parallel num_threads(2)
  {
#pragma omp for nowait
    for (int i = 0; i < 4; ++i) {
      values[i] = i;  // race
    }
#pragma omp for
    for (int i = 0; i < 4; ++i) {
      sums[i] = values[3 - i];  // race
    }
  }
  return sums[0] > 3;
}
