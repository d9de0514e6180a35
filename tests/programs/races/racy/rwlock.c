// Expect: race
// Plain C: a writer that takes the read lock.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void* write_value(void* unused) {
  pthread_rwlock_rdlock(&lock);
  value = 1;  // race
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void* read_value(void* result) {
  pthread_rwlock_rdlock(&lock);
  *(int*)result = value;  // race
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t writer, reader;
  int seen = 0;
  pthread_create(&writer, 0, write_value, 0);
  pthread_create(&reader, 0, read_value, &seen);
  pthread_join(writer, 0);
  pthread_join(reader, 0);
  return seen > 1;
}
