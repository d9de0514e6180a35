// Expect: heap
// An iterator is advanced after its element was erased.
#include <list>

int main() {
  std::list<int> numbers{1, 2, 3};
  for (auto it = numbers.begin(); it != numbers.end(); ++it) {  // heap
    if (*it == 2) numbers.erase(it);
  }
}
