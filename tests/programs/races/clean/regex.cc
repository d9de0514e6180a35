// Expect: clean
// Two threads, each with a regular expression of its own: the C++ library's conversion of
// characters keeps a table that both fill.
#include <regex>
#include <thread>

int main() {
  const auto search = [] {
    const std::regex pattern("a(b+)c");
    if (!std::regex_search("xxabbc", pattern)) __builtin_trap();
  };
  std::thread first(search), second(search);
  first.join();
  second.join();
}
