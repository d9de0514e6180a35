// Expect: race
// Flags: -fopenmp
// The task may still run when its creator uses the result. Only grandchildren are waited for here.
int result;

int main() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    {
#pragma omp task
      result = 1;  // race
    }
#pragma omp taskwait
    result += 1;  // race
  }
  return result > 2;
}
