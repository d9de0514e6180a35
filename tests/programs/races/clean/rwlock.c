// Expect: clean
// Plain C: a read-write lock with readers and a writer, and the try functions.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void* write_value(void* unused) {
  if (pthread_rwlock_trywrlock(&lock) != 0) pthread_rwlock_wrlock(&lock);
  ++value;
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void* read_value(void* result) {
  if (pthread_rwlock_tryrdlock(&lock) != 0) pthread_rwlock_rdlock(&lock);
  *(int*)result = value;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t threads[4];
  int seen[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], 0, write_value, 0);
    pthread_create(&threads[i + 2], 0, read_value, &seen[i]);
  }
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  return value != 2 || seen[0] > 2 || seen[1] > 2;
}
