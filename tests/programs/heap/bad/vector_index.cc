// Expect: heap
// An index that equals the size, behind the back of operator[], which may be checked by the
// library.
#include <vector>

int main() {
  std::vector<int> numbers{1, 2, 3};
  volatile std::size_t index = numbers.size();
  volatile int seen = numbers.data()[index];  // heap
  (void)seen;
}
