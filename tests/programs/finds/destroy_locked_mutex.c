// Expect: lock-misuse
// The owner of an object destroys its mutex while a user may still be inside.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done, uses;

static void* body(void* unused) {
  pthread_mutex_lock(&mutex);
  atomic_store(&done, 1);
  atomic_fetch_add(&uses, 1);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  while (!atomic_load(&done)) {
  }
  pthread_mutex_destroy(&mutex);
  pthread_join(thread, NULL);
}
