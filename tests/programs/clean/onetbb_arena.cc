// Expect: clean
// Flags: -std=c++20 -ltbb
// Arenas, groups and algorithms of oneTBB; tasks that throw, and tasks that are suspended.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_for_each.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/parallel_scan.h>
#include <oneapi/tbb/parallel_sort.h>
#include <oneapi/tbb/task.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <atomic>
#include <cassert>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tbb = oneapi::tbb;

int main() {
  tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 3);
  tbb::task_arena arena(2);
  int first = 0, second = 0;
  tbb::task_group group;
  arena.execute([&] {
    group.run([&] { first = 1; });
    group.run([&] { second = 2; });
  });
  arena.execute([&] { group.wait(); });
  assert(first + second == 3);

  tbb::task_group deferred;
  int third = 0, fourth = 0;
  auto handle = deferred.defer([&] { third = 3; });
  deferred.run(std::move(handle));
  deferred.run_and_wait([&] { fourth = 4; });
  assert(third + fourth == 7);

  bool caught = false;
  tbb::task_group failing;
  failing.run([] { throw std::runtime_error("task"); });
  try {
    failing.wait();
  } catch (const std::runtime_error& error) {
    caught = error.what()[0] == 't';
  }
  assert(caught);

  int fifth = 0;
  std::atomic<bool> done = false;
  arena.enqueue([&] {
    fifth = 5;
    done = true;
  });
  while (!done) std::this_thread::yield();
  assert(fifth == 5);

  int x = 0, y = 0;
  tbb::parallel_invoke([&] { x = 1; }, [&] { y = 2; });
  assert(x + y == 3);
  std::vector<int> items = {5, 3, 4, 1, 2}, sums(5);
  tbb::parallel_scan(
      tbb::blocked_range<int>(0, 5), 0,
      [&](const tbb::blocked_range<int>& range, int sum, bool final) {
        for (int i = range.begin(); i < range.end(); ++i) {
          sum += items[i];
          if (final) sums[i] = sum;
        }
        return sum;
      },
      std::plus<int>());
  assert(sums[4] == 15);
  tbb::parallel_sort(items);
  assert(items[0] == 1);
  int seen[6] = {};
  tbb::parallel_for_each(items.begin(), items.end(), [&](int i, tbb::feeder<int>& feeder) {
    seen[i] = i;
    if (i == 1) feeder.add(0);
  });
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(0, 4, [&](int i) { seen[i] += i; }); });

  int resumed = 0;
  tbb::task_group suspending;
  suspending.run([&] {
    tbb::task::suspend([&](tbb::task::suspend_point point) {
      resumed = 1;
      tbb::task::resume(point);
    });
    ++resumed;
  });
  suspending.wait();
  assert(resumed == 2);
}
