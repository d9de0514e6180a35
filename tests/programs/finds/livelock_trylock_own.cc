// Expect: livelock
// A callback tries to take the mutex that its caller holds, again and again.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<bool> wants_callback;

int main() {
  std::thread sets([] { wants_callback = true; });
  mutex.lock();
  if (wants_callback) {
    while (!mutex.try_lock()) std::this_thread::yield();
  }
  mutex.unlock();
  sets.join();
}
