// Expect: lock-misuse
// A thread waits on a condition variable with a mutex that it gave back before.
#include <pthread.h>

#include <thread>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
bool ready;

int main() {
  std::thread setter([] {
    pthread_mutex_lock(&mutex);
    ready = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
  });
  pthread_mutex_lock(&mutex);
  const bool wait = !ready;
  pthread_mutex_unlock(&mutex);
  if (wait) pthread_cond_wait(&changed, &mutex);
  setter.join();
}
