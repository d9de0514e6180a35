// Expect: lock-misuse
// The result of a trylock is ignored: the spin lock is unlocked by a thread that does not have it.
#include <pthread.h>
#include <stdatomic.h>

static pthread_spinlock_t lock;
static atomic_int value;

static void* body(void* unused) {
  (void)pthread_spin_trylock(&lock);
  atomic_fetch_add(&value, 1);
  pthread_spin_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&thread, NULL, body, NULL);
  body(NULL);
  pthread_join(thread, NULL);
}
