// Expect: heap
// Memory of an over-aligned type is used after delete.
struct alignas(64) Line {
  volatile int words[16];
};

int main() {
  Line* line = new Line;
  line->words[3] = 1;
  delete line;
  line->words[3] = 2;  // heap
}
