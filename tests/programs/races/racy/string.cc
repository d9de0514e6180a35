// Expect: race
// A character of a string is replaced while another thread reads it.
#include <string>
#include <thread>

std::string text = "a text that is too long for the string object itself";

int main() {
  std::thread writer([] { text[2] = 'T'; });  // race
  volatile char seen = text[2];               // race
  (void)seen;
  writer.join();
}
