// bluetooth_driver: a worker enters the driver by counting itself in, a stopper waits until the
// count is zero to stop it.
// Fails: the worker reads stopping=0, then the stopper sets it, counts itself out (count 0) and
// stops the driver; then the worker counts itself in and works in a stopped driver.
// Correct: the worker counts itself in first, and looks at `stopping` after that.
#include <pthread.h>

#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // makes each single step below atomic
static volatile int pending = 1;  // workers inside, plus one for the driver itself
static volatile int stopping = 0;
static volatile int all_left = 0;
static volatile int stopped = 0;

static int Load(volatile int* flag) {
  pthread_mutex_lock(&lock);
  int value = *flag;
  pthread_mutex_unlock(&lock);
  return value;
}

static void Enter() {
  pthread_mutex_lock(&lock);
  pending = pending + 1;
  pthread_mutex_unlock(&lock);
}

static void Leave() {
  pthread_mutex_lock(&lock);
  pending = pending - 1;
  if (pending == 0) all_left = 1;
  pthread_mutex_unlock(&lock);
}

static void* Worker(void*) {
  if (kCorrect) Enter();
  if (Load(&stopping)) {
    if (kCorrect) Leave();
    return nullptr;
  }
  if (!kCorrect) Enter();
  CHECK(!stopped);  // the driver's work
  Leave();
  return nullptr;
}

static void* Stopper(void*) {
  pthread_mutex_lock(&lock);
  stopping = 1;
  pthread_mutex_unlock(&lock);
  Leave();
  if (Load(&all_left)) stopped = 1;
  return nullptr;
}

int main() {
  pthread_t worker, stopper;
  CHECK(pthread_create(&stopper, nullptr, Stopper, nullptr) == 0);
  CHECK(pthread_create(&worker, nullptr, Worker, nullptr) == 0);
  pthread_join(stopper, nullptr);
  pthread_join(worker, nullptr);
  return 0;
}
