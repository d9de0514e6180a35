// Expect: clean
// Flags: -ltbb
// Parallel algorithms, which g++ builds on oneTBB.
#include <algorithm>
#include <cassert>
#include <execution>
#include <numeric>
#include <vector>
int main() {
  std::vector<int> v(64);
  std::iota(v.begin(), v.end(), 0);
  std::for_each(std::execution::par, v.begin(), v.end(), [](int& x) { x *= 2; });
  const int sum = std::reduce(std::execution::par, v.begin(), v.end());
  assert(sum == 64 * 63);
  std::sort(std::execution::par, v.begin(), v.end(), std::greater<int>());
  assert(v[0] == 126);
}
