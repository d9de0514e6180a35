// Expect: clean
// errno belongs to its thread, across every kind of switch.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int shared;

static void* body(void* id) {
  int mine = *(int*)id;
  errno = mine;
  for (int i = 0; i < 3; ++i) {
    atomic_fetch_add(&shared, 1);
    assert(errno == mine);
    sched_yield();
    assert(errno == mine);
    pthread_mutex_lock(&mutex);
    assert(errno == mine);
    pthread_mutex_unlock(&mutex);
    assert(errno == mine);
  }
  assert(read(-1, id, 1) == -1 && errno == EBADF);
  sched_yield();
  assert(errno == EBADF);
  return NULL;
}

int main(void) {
  int ids[] = {101, 102, 103};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, body, &ids[i]);
  body(&ids[2]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
