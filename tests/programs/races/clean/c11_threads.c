// Expect: clean
// Plain C: C11 threads, with mutex, condition variable, call_once and atomics.
#include <stdatomic.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static int counter, ready;
static atomic_int entered;

static void make(void) { counter = 10; }

static int count(void* unused) {
  (void)unused;
  call_once(&once, make);
  atomic_fetch_add(&entered, 1);
  mtx_lock(&mutex);
  ++counter;
  ++ready;
  cnd_signal(&changed);
  mtx_unlock(&mutex);
  return 3;
}

int main(void) {
  thrd_t first, second;
  int result = 0;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  thrd_create(&first, count, 0);
  thrd_create(&second, count, 0);
  mtx_lock(&mutex);
  while (ready < 2) cnd_wait(&changed, &mutex);
  int seen = counter;
  mtx_unlock(&mutex);
  thrd_join(first, &result);
  thrd_join(second, 0);
  return seen != 12 || result != 3 || atomic_load(&entered) != 2;
}
