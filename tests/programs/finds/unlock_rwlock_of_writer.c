// Expect: lock-misuse
// Main unlocks although its attempt to get a read lock may have failed: the other thread writes.
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int value;

static void* writes(void* unused) {
  pthread_rwlock_wrlock(&lock);
  atomic_fetch_add(&value, 1);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writes, NULL);
  (void)pthread_rwlock_tryrdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_join(thread, NULL);
}
