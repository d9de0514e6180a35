// Expect: race
// Flags: -fopenmp
// Two critical sections of different names do not exclude each other.
int count = 0;

int main() {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
#pragma omp critical(one)
      count += 1;  // race
    }
#pragma omp section
    {
#pragma omp critical(other)
      count += 1;  // race
    }
  }
  return count > 2;
}
