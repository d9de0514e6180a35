// Expect: clean
// Run: --runs 10
// 1000 threads alive at once; the last to arrive wakes all of them.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kThreads = 1000;
std::mutex mutex;
std::condition_variable cv;
int arrived, passed;
thread_local int mine;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([i] {
      std::unique_lock lock(mutex);
      mine = i;
      if (++arrived == kThreads) cv.notify_all();
      cv.wait(lock, [] { return arrived == kThreads; });
      assert(mine == i);
      ++passed;
    });
  for (auto& thread : threads) thread.join();
  assert(passed == kThreads);
}
