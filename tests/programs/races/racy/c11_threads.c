// Expect: race
// Plain C: C11 threads, one of which takes the wrong mutex.
#include <threads.h>

static mtx_t mutex, other;
static int counter;

static int count(void* lock) {
  mtx_lock(lock);
  ++counter;  // race
  mtx_unlock(lock);
  return 0;
}

int main(void) {
  thrd_t first, second;
  mtx_init(&mutex, mtx_plain);
  mtx_init(&other, mtx_plain);
  thrd_create(&first, count, &mutex);
  thrd_create(&second, count, &other);
  thrd_join(first, 0);
  thrd_join(second, 0);
  return 0;
}
