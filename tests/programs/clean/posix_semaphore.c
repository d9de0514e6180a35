// Expect: clean
// sem_t: wait, trywait, timedwait, clockwait, post, getvalue; a rendezvous between two threads.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t ping, pong, slots;
static int hits;

static void* partner(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; ++i) {
    assert(sem_wait(&ping) == 0);
    assert(hits == 2 * i + 1);
    ++hits;
    assert(sem_post(&pong) == 0);
  }
  return NULL;
}

static void* user(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; ++i) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    ++deadline.tv_sec;
    if (sem_timedwait(&slots, &deadline) != 0) {
      assert(errno == ETIMEDOUT);
      continue;
    }
    int left = -1;
    assert(sem_getvalue(&slots, &left) == 0 && left >= 0 && left <= 1);
    assert(sem_post(&slots) == 0);
  }
  return NULL;
}

int main(void) {
  assert(sem_init(&ping, 0, 0) == 0 && sem_init(&pong, 0, 0) == 0 && sem_init(&slots, 0, 2) == 0);
  pthread_t thread, users[3];
  pthread_create(&thread, NULL, partner, NULL);
  for (int i = 0; i < 3; ++i) {
    assert(hits == 2 * i);
    ++hits;
    sem_post(&ping);
    assert(sem_wait(&pong) == 0);
  }
  pthread_join(thread, NULL);
  assert(hits == 6);

  for (int i = 0; i < 3; ++i) pthread_create(&users[i], NULL, user, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(users[i], NULL);
  assert(sem_trywait(&slots) == 0 && sem_trywait(&slots) == 0);
  assert(sem_trywait(&slots) == -1 && errno == EAGAIN);
  struct timespec deadline;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  assert(sem_clockwait(&slots, CLOCK_MONOTONIC, &deadline) == -1 && errno == ETIMEDOUT);
  sem_destroy(&ping);
  sem_destroy(&pong);
  sem_destroy(&slots);
}
