// Expect: clean
// Copies of an exception share one text, which the last of them frees: the C++ library counts them.
#include <stdexcept>
#include <string>
#include <thread>

int main() {
  auto* error = new std::runtime_error(std::string(50, 'x'));
  const auto show = [](std::runtime_error copy) {
    if (copy.what()[3] != 'x') __builtin_trap();
  };
  std::thread first(show, *error), second(show, *error);
  delete error;
  first.join();
  second.join();
}
