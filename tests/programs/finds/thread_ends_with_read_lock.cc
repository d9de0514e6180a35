// Expect: lock-misuse
// A reader ends by pthread_exit without giving its lock back.
#include <pthread.h>

#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int value;

int main() {
  std::thread reader([] {
    mutex.lock_shared();
    if (value == 1) pthread_exit(nullptr);
    mutex.unlock_shared();
  });
  if (mutex.try_lock()) {
    value = 1;
    mutex.unlock();
  }
  reader.join();
}
