// Expect: clean
// Warns: lock-order
// Three locks in a circle, one of them a read-write lock; the threads take turns by a counter.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t third = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int turn;

static void await_turn(int number) {
  while (atomic_load(&turn) != number) {
  }
}

static void* one(void* unused) {
  await_turn(0);
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  atomic_store(&turn, 1);
  return unused;
}
static void* two(void* unused) {
  await_turn(1);
  pthread_mutex_lock(&second);
  pthread_rwlock_rdlock(&third);
  pthread_rwlock_unlock(&third);
  pthread_mutex_unlock(&second);
  atomic_store(&turn, 2);
  return unused;
}
static void* three(void* unused) {
  await_turn(2);
  pthread_rwlock_wrlock(&third);
  pthread_mutex_lock(&first);
  pthread_mutex_unlock(&first);
  pthread_rwlock_unlock(&third);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, one, NULL);
  pthread_create(&threads[1], NULL, two, NULL);
  pthread_create(&threads[2], NULL, three, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
