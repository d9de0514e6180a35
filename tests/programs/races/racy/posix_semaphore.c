// Expect: race
// Plain C: the producer posts before it has written.
#include <pthread.h>
#include <semaphore.h>

static sem_t filled;
static int data;

static void* produce(void* unused) {
  sem_post(&filled);
  data = 42;  // race
  return unused;
}

int main(void) {
  pthread_t producer;
  sem_init(&filled, 0, 0);
  pthread_create(&producer, 0, produce, 0);
  while (sem_wait(&filled) != 0) {
  }
  volatile int seen = data;  // race
  pthread_join(producer, 0);
  return seen != 0 && seen != 42;
}
