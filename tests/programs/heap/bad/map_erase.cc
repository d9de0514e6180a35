// Expect: heap
// A reference into a map, kept when its node is erased.
#include <map>

int main() {
  std::map<int, int> table{{1, 10}, {2, 20}};
  volatile int& value = table[2];
  table.erase(2);
  value = 30;  // heap
}
