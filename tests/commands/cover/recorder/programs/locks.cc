// Which thread waits for which: the last lock is never held when a thread wants it.
//
// modes: control
// runs: 200
// locks: A:blocked B:blocking A:blocking B:blocked C:
#include <pthread.h>

#include <thread>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

int main() {
  std::thread t([] {
    pthread_mutex_lock(&m);  // A
    pthread_mutex_unlock(&m);
  });
  pthread_mutex_lock(&m);  // B
  pthread_mutex_unlock(&m);
  t.join();
  pthread_mutex_lock(&other);  // C
  pthread_mutex_unlock(&other);
}
