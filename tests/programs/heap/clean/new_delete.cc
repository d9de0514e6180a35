// Expect: clean
// new and delete of all kinds: single, arrays with and without destructors, nothrow, placement,
// over-aligned.
#include <new>
#include <string>

struct alignas(64) Line {
  volatile int words[16];
};

int main() {
  volatile int* number = new int(1);
  *number = 2;
  delete number;
  std::string* texts = new std::string[3];
  texts[2] = "a text that is too long for the string object itself";
  delete[] texts;
  Line* lines = new Line[2];
  lines[1].words[15] = 1;
  delete[] lines;
  volatile char* bytes = new (std::nothrow) char[10];
  bytes[9] = 1;
  delete[] bytes;
  void* room = ::operator new(sizeof(Line), std::align_val_t(64));
  Line* line = new (room) Line;
  line->words[15] = 1;
  line->~Line();
  ::operator delete(room, std::align_val_t(64));
}
