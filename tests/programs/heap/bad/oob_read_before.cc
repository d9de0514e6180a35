// Expect: heap
// The byte before the block is read.
int main(int argc, char**) {
  volatile char* block = new char[24]();
  int index = -argc;
  volatile char seen = block[index];  // heap
  (void)seen;
  delete[] block;
}
