// Expect: clean
// pthread keys: many of them, destructors only for non-null values, a destructor that sets its key
// again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { kMany = 40 };  // more than glibc keeps in the thread descriptor itself
static pthread_key_t again, many[kMany], unused_key;
static atomic_int rounds, counted, wrong;

static void set_again(void* value) {
  atomic_fetch_add(&rounds, 1);
  if (pthread_getspecific(again) != NULL) atomic_fetch_add(&wrong, 1);
  if ((intptr_t)value > 1) pthread_setspecific(again, (void*)((intptr_t)value - 1));
}

static void count(void* value) { atomic_fetch_add(&counted, (int)(intptr_t)value); }

static void never(void* value) {
  (void)value;
  atomic_fetch_add(&wrong, 1);
}

static void* body(void* unused) {
  for (int i = 0; i < kMany; ++i) {
    assert(pthread_getspecific(many[i]) == NULL);
    assert(pthread_setspecific(many[i], (void*)(intptr_t)(i + 1)) == 0);
  }
  for (int i = 0; i < kMany; ++i) assert(pthread_getspecific(many[i]) == (void*)(intptr_t)(i + 1));
  pthread_setspecific(again, (void*)(intptr_t)3);
  pthread_setspecific(unused_key, &many);
  pthread_setspecific(unused_key, NULL);
  return unused;
}

int main(void) {
  assert(pthread_key_create(&again, set_again) == 0 && pthread_key_create(&unused_key, never) == 0);
  for (int i = 0; i < kMany; ++i) assert(pthread_key_create(&many[i], count) == 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, body, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(rounds == 2 * 3 && counted == 2 * kMany * (kMany + 1) / 2 && wrong == 0);
  assert(pthread_setspecific(again, &many) == 0);  // main's destructors do not run when it returns
  for (int i = 0; i < kMany; ++i) assert(pthread_key_delete(many[i]) == 0);
}
