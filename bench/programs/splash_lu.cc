// splash_lu: the owner of the diagonal block factors it, the others wait for a flag and then divide
// their blocks by it; the flag is raised too early.
// Fails: the owner raises the flag and is preempted; another thread divides by a diagonal that is
// not yet factored.
// Correct: factor first, raise the flag after that.
#include <pthread.h>

#include "check.h"

enum { kOthers = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t raised = PTHREAD_COND_INITIALIZER;
static bool diagonal_done = false;
static volatile int diagonal = 0;
static int blocks[kOthers] = {14, 21};

static void* FactorDiagonal(void*) {
  if (kCorrect) diagonal = 7;
  pthread_mutex_lock(&lock);
  diagonal_done = true;
  pthread_cond_broadcast(&raised);
  pthread_mutex_unlock(&lock);
  if (!kCorrect) diagonal = 7;
  return nullptr;
}

static void* DivideBlock(void* argument) {
  int* block = static_cast<int*>(argument);
  pthread_mutex_lock(&lock);
  while (!diagonal_done) pthread_cond_wait(&raised, &lock);
  pthread_mutex_unlock(&lock);
  int divisor = diagonal;
  CHECK(divisor == 7);
  *block /= divisor;
  return nullptr;
}

int main() {
  pthread_t owner, others[kOthers];
  CHECK(pthread_create(&owner, nullptr, FactorDiagonal, nullptr) == 0);
  for (int i = 0; i < kOthers; ++i) {
    CHECK(pthread_create(&others[i], nullptr, DivideBlock, &blocks[i]) == 0);
  }
  pthread_join(owner, nullptr);
  for (pthread_t other : others) pthread_join(other, nullptr);
  CHECK(blocks[0] == 2 && blocks[1] == 3);
  return 0;
}
