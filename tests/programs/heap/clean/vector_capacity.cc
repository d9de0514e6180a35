// Expect: clean
// A vector is used up to its size; room beyond it is made by the vector itself.
#include <vector>

int main() {
  std::vector<int> numbers;
  numbers.reserve(16);
  volatile int* first = numbers.data();
  for (int i = 0; i < 16; ++i) numbers.push_back(i);
  *first = 5;
  return numbers[0] != 5 || numbers[15] != 15;
}
