// Expect: clean
// Plain C: a buffer of one element, with a semaphore for full and one for empty.
#include <pthread.h>
#include <semaphore.h>

static sem_t filled, empty;
static int data;

static void* produce(void* unused) {
  for (int i = 1; i <= 3; ++i) {
    while (sem_wait(&empty) != 0) {
    }
    data = i;
    sem_post(&filled);
  }
  return unused;
}

int main(void) {
  pthread_t producer;
  int sum = 0;
  sem_init(&filled, 0, 0);
  sem_init(&empty, 0, 1);
  pthread_create(&producer, 0, produce, 0);
  for (int i = 0; i < 3; ++i) {
    while (sem_wait(&filled) != 0) {
    }
    sum += data;
    sem_post(&empty);
  }
  pthread_join(producer, 0);
  return sum != 6;
}
