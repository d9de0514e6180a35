// memcpy, memmove and memset over parts of each other's blocks.
#include <cstdlib>
#include <cstring>
#include <thread>

char block[64];
char* heap;

void fill(int who) {
  std::memset(block + 8 * who, who, 13);
  block[8 * who + 12] = static_cast<char>(who);
}
void shift(std::size_t by) {
  std::memmove(block + by, block, 20);
  std::memmove(block + 1, block + by, 9);
}
void copy_out(std::size_t from) {
  std::memcpy(heap + from, block + from, 17);
  if (heap[from] == 2) heap[from + 3] = 1;
}

int main() {
  heap = static_cast<char*>(std::calloc(64, 1));
  std::thread a([] {
    fill(1);
    shift(3);
  });
  std::thread b([] {
    fill(2);
    copy_out(5);
  });
  std::thread c([] {
    copy_out(11);
    shift(6);
  });
  a.join();
  b.join();
  c.join();
  std::free(heap);
}
