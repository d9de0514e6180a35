// Expect: heap
// A pointer to the characters of a string, kept while the string grows.
#include <string>

int main() {
  std::string text = "a text that is too long for the string object itself";
  const volatile char* characters = text.data();
  text.append(1000, '!');
  volatile char seen = characters[3];  // heap
  (void)seen;
}
