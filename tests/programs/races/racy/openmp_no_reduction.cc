// Expect: race
// Flags: -fopenmp
// A sum over a loop without the reduction clause.
int sum = 0;

int main() {
#pragma omp parallel for num_threads(2)  // race
  for (int i = 0; i < 4; ++i) {
    sum += 1;  // race
  }
  return sum < 0;
}
