// Expect: clean
// C11 threads: every mtx_*, cnd_*, thrd_*, tss_* function and call_once.
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static mtx_t plain, recursive, timed;
static cnd_t changed;
static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static atomic_int inits, destroyed, detached;
static int turn;

static void init(void) { atomic_fetch_add(&inits, 1); }

static void destroy(void* value) {
  free(value);
  atomic_fetch_add(&destroyed, 1);
}

static struct timespec soon(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  ++t.tv_sec;
  return t;
}

static int player(void* me_pointer) {
  int me = *(int*)me_pointer;
  call_once(&once, init);
  assert(inits == 1 && tss_get(key) == NULL);
  assert(tss_set(key, malloc(8)) == thrd_success);
  for (int i = 0; i < 2; ++i) {
    mtx_lock(&plain);
    while (turn % 2 != me) {
      struct timespec t = soon();
      int result = i == 0 ? cnd_wait(&changed, &plain) : cnd_timedwait(&changed, &plain, &t);
      assert(result == thrd_success || (i == 1 && result == thrd_timedout));
    }
    ++turn;
    cnd_broadcast(&changed);
    mtx_unlock(&plain);
  }
  struct timespec t = soon();
  int result = mtx_timedlock(&timed, &t);
  assert(result == thrd_success || result == thrd_timedout);
  if (result == thrd_success) mtx_unlock(&timed);
  mtx_lock(&recursive);
  assert(mtx_trylock(&recursive) == thrd_success);
  mtx_unlock(&recursive);
  mtx_unlock(&recursive);
  thrd_exit(me + 10);
}

static int lonely(void* unused) {
  (void)unused;
  atomic_store(&detached, 1);
  return 0;
}

int main(void) {
  assert(mtx_init(&plain, mtx_plain) == thrd_success &&
         mtx_init(&timed, mtx_timed) == thrd_success);
  assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
  assert(cnd_init(&changed) == thrd_success && tss_create(&key, destroy) == thrd_success);
  int ids[2] = {0, 1}, results[2];
  thrd_t threads[2], other;
  for (int i = 0; i < 2; ++i) assert(thrd_create(&threads[i], player, &ids[i]) == thrd_success);
  assert(!thrd_equal(threads[0], threads[1]) && thrd_equal(thrd_current(), thrd_current()));
  for (int i = 0; i < 2; ++i) assert(thrd_join(threads[i], &results[i]) == thrd_success);
  assert(results[0] == 10 && results[1] == 11 && turn == 4 && destroyed == 2);

  assert(thrd_create(&other, lonely, NULL) == thrd_success && thrd_detach(other) == thrd_success);
  while (!detached) thrd_yield();
  assert(thrd_sleep(&(struct timespec){.tv_nsec = 1000}, NULL) == 0);
  assert(mtx_trylock(&plain) == thrd_success);
  mtx_unlock(&plain);
  tss_delete(key);
  cnd_destroy(&changed);
  mtx_destroy(&plain);
  mtx_destroy(&recursive);
  mtx_destroy(&timed);
}
