// Expect: deadlock
// Flags: -fopenmp
// A critical section in a function that is called from one of the same name.
int count = 0;

void Add() {
#pragma omp critical(counter)
  ++count;
}

int main() {
#pragma omp parallel num_threads(2)
  {
#pragma omp critical(counter)
    if (count > 0) Add();
#pragma omp critical(counter)
    ++count;
  }
}
