// lost_wakeup: the waiter looks at the flag before it takes the lock, and waits without looking
// again.
// Fails: the waiter reads ready=false; the notifier sets it and notifies nobody; the waiter waits
// forever.
// Correct: look at the flag under the lock, in a loop round the wait.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "check.h"

namespace {

std::mutex mutex;
std::condition_variable changed;
std::atomic<bool> ready = false;

void Wait() {
  if (kCorrect) {
    std::unique_lock guard(mutex);
    while (!ready) changed.wait(guard);
  } else if (!ready) {
    std::unique_lock guard(mutex);
    changed.wait(guard);
  }
}

void Notify() {
  std::lock_guard guard(mutex);
  ready = true;
  changed.notify_one();
}

}  // namespace

int main() {
  std::thread waiter(Wait);
  std::thread notifier(Notify);
  waiter.join();
  notifier.join();
  CHECK(ready);
}
