// Expect: clean
// Run: --runs 20
// The process replaces itself by exec while another thread runs; the new image ends with 0.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int running;

static void* goes_on(void* unused) {
  for (;;) {
    running = 1;
    sched_yield();
  }
  return unused;
}

int main(int argc, char** argv) {
  (void)argv;
  assert(running == 0);
  if (argc > 1) return 0;
  pthread_t thread;
  pthread_create(&thread, NULL, goes_on, NULL);
  while (!running) sched_yield();
  execl("/proc/self/exe", "again", "argument", NULL);
  assert(!"exec returned");
}
