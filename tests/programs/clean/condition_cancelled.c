// Expect: clean
// A thread that is cancelled while it waits for a condition: its cleanup handler has the mutex,
// gives the unit back that it had taken, and unlocks.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waiting, units = 2, go;

static void give_back(void* unused) {
  (void)unused;
  ++units;
  --waiting;
  pthread_mutex_unlock(&mutex);
}

static void* body(void* unused) {
  pthread_mutex_lock(&mutex);
  --units;
  ++waiting;
  pthread_cleanup_push(give_back, NULL);
  pthread_cond_broadcast(&cond);
  while (!go) pthread_cond_wait(&cond, &mutex);
  pthread_cleanup_pop(1);
  return unused;
}

int main(void) {
  pthread_t cancelled, ends;
  pthread_create(&cancelled, NULL, body, NULL);
  pthread_create(&ends, NULL, body, NULL);
  pthread_mutex_lock(&mutex);
  while (waiting < 2) pthread_cond_wait(&cond, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_cancel(cancelled);
  void* result;
  pthread_join(cancelled, &result);
  assert(result == PTHREAD_CANCELED);
  pthread_mutex_lock(&mutex);
  assert(units == 1 && waiting == 1);
  go = 1;
  pthread_cond_broadcast(&cond);
  pthread_mutex_unlock(&mutex);
  pthread_join(ends, &result);
  assert(result == NULL && units == 2 && waiting == 0);
}
