// Expect: clean
// A mutex made of an atomic and the futex system call.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> state;  // 0: free, 1: taken, 2: taken, and a thread waits
int counter;

void lock() {
  int seen = 0;
  if (state.compare_exchange_strong(seen, 1, std::memory_order_acquire)) return;
  while (state.exchange(2, std::memory_order_acquire) != 0)
    syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, 2, nullptr, nullptr, 0);
}

void unlock() {
  if (state.exchange(0, std::memory_order_release) == 2)
    syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

int main() {
  auto body = [] {
    for (int i = 0; i < 2; ++i) {
      lock();
      ++counter;
      unlock();
    }
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
  assert(counter == 4);
}
