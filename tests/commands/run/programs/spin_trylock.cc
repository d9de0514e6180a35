// A handler polls the spin lock that its caller holds.
#include <pthread.h>

#include <atomic>
#include <thread>

pthread_spinlock_t lock;
std::atomic<bool> has_event;

void Handle() {
  while (pthread_spin_trylock(&lock) != 0) std::this_thread::yield();
  pthread_spin_unlock(&lock);
}

int main() {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  std::thread sender([] { has_event = true; });
  pthread_spin_lock(&lock);
  if (has_event) Handle();
  pthread_spin_unlock(&lock);
  sender.join();
}
