// Expect: lock-misuse
// One thread unlocks early when it sees the flag, and again at its end.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<bool> hurry;

int main() {
  std::thread other([] { hurry = true; });
  mutex.lock();
  if (hurry) mutex.unlock();
  mutex.unlock();
  other.join();
}
