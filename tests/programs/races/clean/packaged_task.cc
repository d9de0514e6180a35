// Expect: clean
// A packaged_task that leaves more behind than its result.
#include <cassert>
#include <future>
#include <thread>

int valid_until;

int main() {
  std::packaged_task<int(int)> task([](int x) {
    valid_until = 7;
    return 2 * x;
  });
  std::future<int> result = task.get_future();
  std::thread worker(std::move(task), 21);
  assert(result.get() == 42 && valid_until == 7);
  worker.join();
}
