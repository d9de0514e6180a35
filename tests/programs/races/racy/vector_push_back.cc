// Expect: race
// One thread appends, another one asks for the size. There is room enough: nothing moves.
#include <thread>
#include <vector>

std::vector<int> numbers;

int main() {
  numbers.reserve(8);
  std::thread writer([] { numbers.push_back(1); });  // race
  volatile std::size_t seen = numbers.size();        // race
  (void)seen;
  writer.join();
}
