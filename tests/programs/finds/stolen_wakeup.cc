// Expect: assert
// Switches: 5
// 'if' instead of 'while' around wait: a consumer is woken, but another one takes the item first.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable cv;
int items;
bool closed;

int main() {
  auto consume = [] {
    std::unique_lock lock(mutex);
    if (items == 0 && !closed) cv.wait(lock);
    if (closed) return;
    assert(items > 0);
    --items;
  };
  auto produce = [] {
    std::lock_guard lock(mutex);
    ++items;
    cv.notify_one();
  };
  std::thread a(consume), b(consume), c(produce);
  c.join();
  {
    std::lock_guard lock(mutex);
    closed = true;
  }
  cv.notify_all();
  a.join();
  b.join();
}
