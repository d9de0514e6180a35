// Expect: heap
// An array is used after delete[].
int main() {
  volatile double* numbers = new double[5]();
  delete[] numbers;
  volatile double seen = numbers[4];  // heap
  (void)seen;
}
