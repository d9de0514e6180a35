// Expect: heap
// An index that equals the size.
#include <vector>

int main() {
  std::vector<int> numbers{1, 2, 3};
  volatile std::size_t index = numbers.size();
  volatile int seen = numbers[index];  // heap
  (void)seen;
}
