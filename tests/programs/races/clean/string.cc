// Expect: clean
// One string, read by two threads, each of which makes a changed copy of its own.
#include <cassert>
#include <string>
#include <thread>

const std::string text = "a text that is too long for the string object itself";

int main() {
  auto body = [] {
    std::string own = text;
    own += "!";
    assert(own.size() == text.size() + 1);
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
}
