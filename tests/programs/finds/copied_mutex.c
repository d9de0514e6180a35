// Expect: lock-misuse
// An object is copied together with its mutex, which another thread may hold at that moment.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct counter {
  pthread_mutex_t mutex;
  int value;
};
static struct counter counter = {PTHREAD_MUTEX_INITIALIZER, 0};
static atomic_int counted;

static void* body(void* unused) {
  pthread_mutex_lock(&counter.mutex);
  ++counter.value;
  atomic_store(&counted, 1);
  pthread_mutex_unlock(&counter.mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct counter copy;
  pthread_create(&thread, NULL, body, NULL);
  while (!atomic_load(&counted)) {
  }
  memcpy(&copy, &counter, sizeof copy);
  pthread_mutex_lock(&copy.mutex);
  pthread_mutex_unlock(&copy.mutex);
  pthread_join(thread, NULL);
}
