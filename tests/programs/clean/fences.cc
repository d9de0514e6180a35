// Expect: clean
// Fences with relaxed atomics: message passing, and Dekker's test, in which both threads cannot
// read 0.
#include <atomic>
#include <cassert>
#include <thread>

int data;
std::atomic<bool> ready;
std::atomic<int> x, y;

int main() {
  std::thread writer([] {
    data = 1;
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  });
  std::thread reader([] {
    while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_acquire);
    assert(data == 1);
  });
  int saw_y = -1, saw_x = -1;
  std::thread one([&] {
    x.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    saw_y = y.load(std::memory_order_relaxed);
  });
  std::thread two([&] {
    y.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    saw_x = x.load(std::memory_order_relaxed);
  });
  writer.join();
  reader.join();
  one.join();
  two.join();
  assert(saw_x == 1 || saw_y == 1);
}
