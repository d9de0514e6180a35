// Expect: clean
// pthread_spinlock_t: lock, trylock, unlock.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int count, tried;

static void* body(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; ++i) {
    assert(pthread_spin_lock(&lock) == 0);
    ++count;
    assert(pthread_spin_unlock(&lock) == 0);
    int error = pthread_spin_trylock(&lock);
    assert(error == 0 || error == EBUSY);
    if (error == 0) {
      ++tried;
      assert(pthread_spin_unlock(&lock) == 0);
    }
  }
  return NULL;
}

int main(void) {
  assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, body, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(count == 9 && tried <= 9);
  assert(pthread_spin_trylock(&lock) == 0 && pthread_spin_trylock(&lock) == EBUSY);
  assert(pthread_spin_unlock(&lock) == 0 && pthread_spin_destroy(&lock) == 0);
}
