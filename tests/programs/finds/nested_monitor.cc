// Expect: deadlock | lost-wakeup
// wait() releases the inner lock only; the notifier needs the outer one, which the waiter still
// holds.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex outer, inner;
std::condition_variable cv;
bool ready;

int main() {
  std::thread waiter([] {
    std::lock_guard hold(outer);
    std::unique_lock lock(inner);
    cv.wait(lock, [] { return ready; });
  });
  std::thread notifier([] {
    std::lock_guard hold(outer);
    std::lock_guard lock(inner);
    ready = true;
    cv.notify_one();
  });
  waiter.join();
  notifier.join();
}
