// Expect: clean
// What may be freed while others are still on their way out: a condition variable whose waiters
// have all been woken, a barrier that has let everybody through, a mutex after the last unlock.
#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <thread>

struct Gate {
  std::mutex* mutex;
  std::condition_variable* opened = new std::condition_variable;
  bool open = false;
};

int main() {
  std::mutex mutex;
  Gate gate{&mutex};
  std::thread waiter([&] {
    std::unique_lock lock(*gate.mutex);
    while (!gate.open) gate.opened->wait(lock);
  });
  {
    std::lock_guard lock(mutex);
    gate.open = true;
    gate.opened->notify_all();
    delete gate.opened;
    gate.opened = nullptr;
  }
  waiter.join();

  auto* barrier = new pthread_barrier_t;
  pthread_barrier_init(barrier, nullptr, 2);
  std::thread other([&] {
    if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
      pthread_barrier_destroy(barrier);
      delete barrier;
    }
  });
  if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
    pthread_barrier_destroy(barrier);
    delete barrier;
  }
  other.join();
}
