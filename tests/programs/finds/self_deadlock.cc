// Expect: deadlock
// A thread locks a normal mutex which it already holds: when the other thread has set the flag.
#include <pthread.h>

#include <atomic>
#include <thread>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
std::atomic<bool> log_it;

void Log() {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

int main() {
  std::thread setter([] { log_it = true; });
  pthread_mutex_lock(&mutex);
  if (log_it) Log();
  pthread_mutex_unlock(&mutex);
  setter.join();
}
