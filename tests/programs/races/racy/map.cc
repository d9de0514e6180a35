// Expect: race
// One thread inserts into a map, another one asks for its size.
#include <map>
#include <thread>

std::map<int, int> table;

int main() {
  std::thread writer([] { table[1] = 1; });  // race
  volatile std::size_t seen = table.size();  // race
  (void)seen;
  writer.join();
}
