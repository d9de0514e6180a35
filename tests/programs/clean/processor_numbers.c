// Expect: clean
// A thread is always on a processor that it may use, on the one that it was pinned to, and hands
// that down to the threads that it creates.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static cpu_set_t allowed;
static int last;

static void* inherits(void* unused) {
  assert(sched_getcpu() == last);
  return unused;
}

static void* worker(void* unused) {
  unsigned processor = ~0u, node = ~0u;
  assert(getcpu(&processor, &node) == 0 && getcpu(0, 0) == 0);
  assert(CPU_ISSET(processor, &allowed) && node != ~0u);
#ifdef __SNAG__
  for (int i = 0; i < 3; ++i) {
    sched_yield();
    assert((unsigned)sched_getcpu() == processor);
  }
#endif
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  assert(sched_setaffinity(gettid(), sizeof one, &one) == 0 && sched_getcpu() == last);
  pthread_t thread;
  pthread_create(&thread, 0, inherits, 0);
  pthread_join(thread, 0);
  return unused;
}

int main(void) {
  assert(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &allowed)) last = i;
  }
  cpu_set_t none;
  CPU_ZERO(&none);
  assert(sched_setaffinity(0, sizeof none, &none) == -1 && errno == EINVAL);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(pthread_setaffinity_np(pthread_self(), sizeof allowed, &allowed) == 0);
  assert(CPU_ISSET(sched_getcpu(), &allowed));
  return 0;
}
