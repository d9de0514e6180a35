// Expect: deadlock | lost-wakeup
// The writer forgets to notify in the branch in which a waiter is there.
#include <atomic>
#include <thread>

std::atomic<int> value, waiters;

int main() {
  std::thread waiter([] {
    if (value == 0) {
      ++waiters;
      value.wait(0);
    }
  });
  if (waiters > 0) {
    value = 1;  // notify forgotten in this branch
  } else {
    value = 1;
    value.notify_one();
  }
  waiter.join();
}
