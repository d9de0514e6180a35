// Expect: race
// operator[] for an existing key changes no tree, but both threads add to the same value.
#include <map>
#include <thread>

std::map<int, int> table{{1, 0}, {2, 0}};

int main() {
  auto body = [] { table[2] += 1; };  // race
  std::thread first(body), second(body);
  first.join();
  second.join();
}
