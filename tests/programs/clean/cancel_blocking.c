// Expect: clean
// Deferred pthread_cancel of threads in sem_wait, pthread_join, nanosleep, read, poll and a timed
// wait in C.
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { kSem, kJoin, kSleep, kRead, kPoll, kTimed, kKinds };
static sem_t never, release_target;
static int ends[2];
static pthread_t target;
static atomic_int started, cleaned;

static void* waits_for_release(void* unused) {
  while (sem_wait(&release_target) != 0) {
  }
  return unused;
}

static void cleanup(void* unused) {
  (void)unused;
  atomic_fetch_add(&cleaned, 1);
}

static void block(int kind) {
  char byte;
  struct pollfd polled = {ends[0], POLLIN, 0};
  struct timespec hour = {3600, 0}, deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 3600;
  if (kind == kSem) sem_wait(&never);
  if (kind == kJoin) pthread_join(target, NULL);
  if (kind == kSleep) nanosleep(&hour, NULL);
  if (kind == kRead) assert(read(ends[0], &byte, 1) == -1);
  if (kind == kPoll) poll(&polled, 1, -1);
  if (kind == kTimed) sem_timedwait(&never, &deadline);
}

static void* body(void* kind) {
  pthread_cleanup_push(cleanup, NULL);
  atomic_fetch_add(&started, 1);
  for (;;) block(*(int*)kind);
  pthread_cleanup_pop(1);
  return NULL;
}

int main(void) {
  assert(sem_init(&never, 0, 0) == 0 && sem_init(&release_target, 0, 0) == 0 && pipe(ends) == 0);
  pthread_create(&target, NULL, waits_for_release, NULL);
  pthread_t threads[kKinds];
  int kinds[kKinds];
  for (int i = 0; i < kKinds; ++i) {
    kinds[i] = i;
    pthread_create(&threads[i], NULL, body, &kinds[i]);
  }
  while (started < kKinds / 2)
    sched_yield();  // some are likely to block by now, others have not begun
  for (int i = 0; i < kKinds; ++i) assert(pthread_cancel(threads[i]) == 0);
  for (int i = 0; i < kKinds; ++i) {
    void* result;
    assert(pthread_join(threads[i], &result) == 0 && result == PTHREAD_CANCELED);
  }
  assert(cleaned == kKinds);
  assert(sem_post(&release_target) == 0);
  assert(pthread_join(target, NULL) == 0);  // the cancelled join left it joinable
  close(ends[0]);
  close(ends[1]);
}
