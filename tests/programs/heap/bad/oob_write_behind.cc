// Expect: heap
// The element behind the last one is written.
int main() {
  volatile int* block = new int[8];
  for (int i = 0; i <= 8; ++i) block[i] = i;  // heap
  delete[] block;
}
