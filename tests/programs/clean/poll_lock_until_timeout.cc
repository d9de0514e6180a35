// Expect: clean
// One thread looks at a flag under a mutex, again and again, until another one sets it after a
// sleep: the program ends by time.
#include <chrono>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  bool done = false;
  std::thread poller([&] {
    for (;;) {
      std::lock_guard lock(mutex);
      if (done) return;
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  {
    std::lock_guard lock(mutex);
    done = true;
  }
  poller.join();
}
