// carter01: two classes of users share a resource; the first of a class to arrive locks it, the
// last to leave unlocks it. The users are counted under one more lock.
// Fails: A has the resource; B takes the counting lock and waits for the resource; A needs the
// counting lock to leave. Deadlock.
// Correct: never wait for the resource with the counting lock held: always take the resource first.
#include <pthread.h>

#include "check.h"

static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t resource = PTHREAD_MUTEX_INITIALIZER;
static int users_a = 0;
static int users_b = 0;
static int uses = 0;  // guarded by `resource`

static void* Use(void* argument) {
  int* users = static_cast<int*>(argument);

  if (kCorrect) pthread_mutex_lock(&resource);
  pthread_mutex_lock(&counting);
  ++*users;
  if (!kCorrect && *users == 1) pthread_mutex_lock(&resource);
  pthread_mutex_unlock(&counting);

  ++uses;

  pthread_mutex_lock(&counting);
  --*users;
  if (!kCorrect && *users == 0) pthread_mutex_unlock(&resource);
  pthread_mutex_unlock(&counting);
  if (kCorrect) pthread_mutex_unlock(&resource);
  return nullptr;
}

int main() {
  pthread_t a, b;
  CHECK(pthread_create(&a, nullptr, Use, &users_a) == 0);
  CHECK(pthread_create(&b, nullptr, Use, &users_b) == 0);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  CHECK(uses == 2);
  return 0;
}
