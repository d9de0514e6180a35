// Expect: heap
// A reference to an element, kept while push_back moves the elements.
#include <vector>

int main() {
  std::vector<int> numbers{1, 2, 3};
  volatile int& first = numbers[0];
  for (int i = 0; i < 10; ++i) numbers.push_back(i);
  first = 5;  // heap
}
