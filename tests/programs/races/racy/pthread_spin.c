// Expect: race
// Plain C: the statistics are printed without the spin lock that protects them.
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void* count(void* unused) {
  pthread_spin_lock(&lock);
  ++counter;  // race
  pthread_spin_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&first, 0, count, 0);
  pthread_create(&second, 0, count, 0);
  volatile int seen = counter;  // race
  pthread_join(first, 0);
  pthread_join(second, 0);
  return seen > 2;
}
