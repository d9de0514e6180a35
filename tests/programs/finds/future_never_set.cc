// Expect: deadlock
// The worker gives up without setting the promise when it comes too late; get() waits forever.
#include <atomic>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::atomic<bool> closed = false;
  std::thread worker([&] {
    if (!closed) promise.set_value(1);
  });
  std::thread closer([&] { closed = true; });
  promise.get_future().get();
  worker.join();
  closer.join();
}
