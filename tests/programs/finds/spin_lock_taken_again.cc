// Expect: livelock
// A recursive walk takes a spin lock that the caller holds already, if it finds a child.
#include <atomic>
#include <thread>

class SpinLock {
 public:
  void Lock() {
    while (taken_.exchange(true)) {
      while (taken_) std::this_thread::yield();
    }
  }
  void Unlock() { taken_ = false; }

 private:
  std::atomic<bool> taken_ = false;
};

SpinLock lock;
std::atomic<bool> has_child;

void Walk() {
  lock.Lock();
  if (has_child.exchange(false)) Walk();
  lock.Unlock();
}

int main() {
  std::thread adds([] { has_child = true; });
  Walk();
  adds.join();
}
