// Expect: heap
// A string_view of a temporary string.
#include <string>
#include <string_view>

std::string make(int length) { return std::string(static_cast<std::size_t>(length), 'x'); }

int main(int argc, char**) {
  std::string_view view = make(100 * argc);
  volatile char seen = view[5];  // heap
  (void)seen;
}
