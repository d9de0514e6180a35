// Expect: deadlock
// A static's initialiser takes a lock; a thread that holds the lock waits for the guard, or runs
// the initialiser itself.
#include <mutex>
#include <thread>

std::mutex mutex;

int Config() {
  static int config = [] {
    std::lock_guard lock(mutex);
    return 1;
  }();
  return config;
}

int main() {
  std::thread a([] { Config(); });
  std::thread b([] {
    std::lock_guard lock(mutex);
    Config();
  });
  a.join();
  b.join();
}
