// "if" instead of "while" around a wait: a woken consumer finds the queue empty, because another
// came first.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

std::mutex mutex;
std::condition_variable not_empty;
std::queue<int> items;

void Push(int item) {
  std::lock_guard lock(mutex);
  items.push(item);
  not_empty.notify_one();
}

void Pop() {
  std::unique_lock lock(mutex);
  if (items.empty()) not_empty.wait(lock);
  assert(!items.empty());
  items.pop();
}

int main() {
  std::thread first(Pop), second(Pop);
  Push(1);
  Push(2);
  first.join();
  second.join();
}
