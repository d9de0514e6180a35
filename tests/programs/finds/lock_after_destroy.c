// Expect: lock-misuse
// The mutex is destroyed when the flag says that all are through; one may come later.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int users;

static void* body(void* unused) {
  pthread_mutex_lock(&mutex);
  atomic_fetch_add(&users, 1);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, body, NULL);
  pthread_join(threads[0], NULL);
  if (atomic_load(&users) > 0) pthread_mutex_destroy(&mutex);
  pthread_join(threads[1], NULL);
}
