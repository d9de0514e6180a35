// Expect: lock-misuse
// Main destroys the barrier when the other thread has come to it, but does not go there itself.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_barrier_t barrier;
static atomic_int coming;

static void* body(void* unused) {
  atomic_store(&coming, 1);
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&thread, NULL, body, NULL);
  while (!atomic_load(&coming)) {
  }
  atomic_store(&coming, 2);
  pthread_barrier_destroy(&barrier);
  exit(0);
}
