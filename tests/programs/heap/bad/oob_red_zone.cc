// Expect: heap
// Fifteen bytes behind the end.
int main(int argc, char**) {
  volatile char* block = new char[64];
  block[63 + 16 * argc - 1] = 1;  // heap
  delete[] block;
}
