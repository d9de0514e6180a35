// Expect: race
// Flags: -fopenmp
// The second task names the variable that it writes, not the one that it reads.
int value, result;

int main() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : value)
    value = 1;  // race
#pragma omp task depend(out : result)
    result = value + 1;  // race
  }
  return result > 2;
}
