// splash_barnes: thread 0 makes the tree's root, then all threads hang their bodies into the tree;
// the barrier between the two phases is missing.
// Fails: another thread comes to its bodies before thread 0 has made the root.
// Correct: with the barrier.
#include <pthread.h>

#include "check.h"

enum { kThreads = 3, kBodiesEach = 2 };

struct Cell {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  int bodies = 0;
};

static Cell cell;
static Cell* volatile root = nullptr;
static pthread_barrier_t root_made;

static void* BuildTree(void* argument) {
  if (argument == nullptr) root = &cell;  // thread 0
  if (kCorrect) pthread_barrier_wait(&root_made);
  for (int i = 0; i < kBodiesEach; ++i) {
    CHECK(root != nullptr);
    pthread_mutex_lock(&root->lock);
    ++root->bodies;
    pthread_mutex_unlock(&root->lock);
  }
  return nullptr;
}

int main() {
  pthread_barrier_init(&root_made, nullptr, kThreads);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    void* argument = i == 0 ? nullptr : &threads[i];
    CHECK(pthread_create(&threads[i], nullptr, BuildTree, argument) == 0);
  }
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  CHECK(cell.bodies == kThreads * kBodiesEach);
  pthread_barrier_destroy(&root_made);
  return 0;
}
