// Expect: deadlock
// The initialiser of a pthread_once calls pthread_once with the same control when the other thread
// has set the flag.
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int verbose;

static void init(void) {
  if (verbose) pthread_once(&once, init);
}

static void* set(void* unused) {
  verbose = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, set, NULL);
  pthread_once(&once, init);
  pthread_join(thread, NULL);
}
