// Expect: clean
// Two threads copy into different halves of one buffer; the last byte of one lies next to the first
// byte of the other.
#include <cassert>
#include <cstring>
#include <thread>

char buffer[62];

int main() {
  auto body = [](int begin) {
    char text[31];
    std::memset(text, begin == 0 ? 'a' : 'b', sizeof text);
    std::memcpy(buffer + begin, text, sizeof text);
  };
  std::thread first(body, 0), second(body, 31);
  first.join();
  second.join();
  assert(buffer[30] == 'a' && buffer[31] == 'b');
}
