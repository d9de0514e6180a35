// Expect: clean
// std::osyncstream: the output of each thread arrives in one piece.
#include <cassert>
#include <sstream>
#include <string>
#include <syncstream>
#include <thread>

int main() {
  std::ostringstream out;
  auto body = [&](char letter) {
    for (int i = 0; i < 2; ++i) {
      std::osyncstream sync(out);
      sync << letter << letter;
      std::this_thread::yield();
      sync << letter << '\n';
    }
  };
  std::thread a(body, 'a'), b(body, 'b'), c(body, 'c');
  a.join();
  b.join();
  c.join();
  std::istringstream in(out.str());
  int lines = 0;
  for (std::string line; std::getline(in, line); ++lines)
    assert(line.size() == 3 && line == std::string(3, line[0]));
  assert(lines == 6);
}
