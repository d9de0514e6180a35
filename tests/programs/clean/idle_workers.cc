// Expect: clean
// Run: --strategy surw
// Workers that ask for work again and again, and yield while there is none.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::mutex mutex;
std::vector<int> items;
int unfinished = 0;
std::atomic<int> done{0};

// -1: nothing yet, -2: all is done.
int take() {
  std::lock_guard lock(mutex);
  if (unfinished == 0) return -2;
  if (items.empty()) return -1;
  const int item = items.back();
  items.pop_back();
  return item;
}

void work() {
  for (int item; (item = take()) != -2;) {
    if (item == -1) {
      std::this_thread::yield();
      continue;
    }
    for (int i = 0; i < 3; ++i) done.fetch_add(1, std::memory_order_relaxed);
    std::lock_guard lock(mutex);
    if (item > 0) {
      items.insert(items.end(), 2, item - 1);
      unfinished += 2;
    }
    --unfinished;
  }
}

}  // namespace

int main() {
  items = {3};
  unfinished = 1;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  assert(done == 15 * 3);
}
