// Expect: heap
// A block is written after it was deleted.
int main() {
  volatile int* number = new int(1);
  delete number;
  *number = 2;  // heap
}
