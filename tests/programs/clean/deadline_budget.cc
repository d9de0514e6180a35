// Expect: clean
// One budget of time for several waits: each waits until the same deadline, and what is not there
// by then is counted as late, never used.
#include <cassert>
#include <chrono>
#include <future>
#include <thread>
#include <vector>

int main() {
  std::vector<std::promise<int>> promises(3);
  std::vector<std::future<int>> futures;
  for (auto& promise : promises) futures.push_back(promise.get_future());
  std::thread worker([&] {
    for (int i = 0; i < 3; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(4));
      promises[i].set_value(1);
    }
  });
  auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(9);
  int sum = 0, late = 0;
  for (auto& future : futures) {
    if (future.wait_until(deadline) == std::future_status::ready)
      sum += future.get();
    else
      ++late;
  }
  assert(sum + late == 3);
  worker.join();
}
