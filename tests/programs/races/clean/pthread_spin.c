// Expect: clean
// Plain C: a spin lock.
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void* count(void* unused) {
  for (int i = 0; i < 3; ++i) {
    if (pthread_spin_trylock(&lock) != 0) pthread_spin_lock(&lock);
    ++counter;
    pthread_spin_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&first, 0, count, 0);
  pthread_create(&second, 0, count, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  pthread_spin_destroy(&lock);
  return counter != 6;
}
