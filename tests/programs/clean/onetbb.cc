// Expect: clean
// Flags: -ltbb
// oneTBB: parallel_for, a task group, parallel_reduce.
#include <tbb/tbb.h>

#include <cassert>
#include <functional>
int main() {
  int a[8] = {};
  tbb::parallel_for(0, 8, [&](int i) { a[i] = i; });
  int x = 0, y = 0;
  tbb::task_group g;
  g.run([&] { x = 1; });
  g.run([&] { y = 2; });
  g.wait();
  assert(x + y == 3 && a[7] == 7);
  const int s = tbb::parallel_reduce(
      tbb::blocked_range<int>(0, 8), 0,
      [&](const tbb::blocked_range<int>& r, int t) {
        for (int i = r.begin(); i < r.end(); ++i) t += a[i];
        return t;
      },
      std::plus<int>());
  assert(s == 28);
}
