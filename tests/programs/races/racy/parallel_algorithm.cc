// Expect: race
// Flags: -ltbb
// A sum by a parallel for_each in place of reduce.
#include <algorithm>
#include <execution>
#include <vector>

int sum = 0;

int main() {
  std::vector<int> values(64, 1);
  std::for_each(std::execution::par, values.begin(), values.end(), [](int value) {
    sum += value;  // race
  });
  return sum > 64;
}
