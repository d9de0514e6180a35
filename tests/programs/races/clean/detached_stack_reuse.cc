// Expect: clean
// Detached threads that nobody orders: one may run on the stack, and with the thread-local memory,
// of another that has ended.
#include <atomic>
#include <thread>

std::atomic<int> ended;
thread_local int own;

int main() {
  for (int i = 0; i < 4; ++i) {
    std::thread([i] {
      volatile int room[32];
      for (int j = 0; j < 32; ++j) room[j] = i;
      own = room[31];
      ended.fetch_add(1, std::memory_order_relaxed);
    }).detach();
  }
  while (ended.load(std::memory_order_relaxed) < 4) std::this_thread::yield();
}
