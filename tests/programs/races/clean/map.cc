// Expect: clean
// A map is filled first, then only searched; each thread changes the values of its own keys.
#include <cassert>
#include <map>
#include <thread>

std::map<int, int> table;

int main() {
  for (int i = 0; i < 6; ++i) table[i] = 0;
  auto body = [](int self) {
    for (int i = self; i < 6; i += 2) table.find(i)->second = self + 1;
  };
  std::thread first(body, 0), second(body, 1);
  first.join();
  second.join();
  assert(table[0] == 1 && table[5] == 2);
}
