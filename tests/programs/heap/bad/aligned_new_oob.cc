// Expect: heap
// Behind the end of over-aligned memory.
#include <new>

int main(int argc, char**) {
  auto* block = static_cast<volatile char*>(::operator new(100, std::align_val_t(64)));
  block[99 + argc] = 1;  // heap
  ::operator delete(const_cast<char*>(block), std::align_val_t(64));
}
