// Expect: clean
// Flags: -fopenmp
// Tasks that make tasks, and wait for their children.
#include <cassert>

int Fibonacci(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)
  a = Fibonacci(n - 1);
#pragma omp task shared(b) if (n > 3)
  b = Fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

struct Copied {
  explicit Copied(int v) : value(v) {}
  Copied(const Copied& other) : value(other.value + 1) {}
  int value;
  char more[40] = {};
};

int main() {
  int result = 0, copied = 0;
  const Copied original(7);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    result = Fibonacci(5);
#pragma omp task firstprivate(original) shared(copied)
    copied = original.value;
  }
  assert(result == 5);
  assert(copied > 7);
}
