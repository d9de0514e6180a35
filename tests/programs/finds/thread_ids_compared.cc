// Expect: assert
// The ids of threads are addresses. They are the same in a replay, although Snag makes threads in
// advance for all runs but the first of a process, and a replay is a first run: here the assertion
// fails only if thread 5 follows thread 4 as closely as thread 4 follows thread 3.
#include <pthread.h>
#include <stdlib.h>

#include <atomic>
#include <cassert>

std::atomic<int> arrived;
std::atomic<bool> overtaken;

void* work(void* number) {
  if (arrived++ != static_cast<int>(reinterpret_cast<long>(number))) overtaken = true;
  return nullptr;
}

int main() {
  void* block = malloc(1 << 20);
  pthread_t threads[8];
  for (long i = 0; i < 8; ++i)
    pthread_create(&threads[i], nullptr, work, reinterpret_cast<void*>(i));
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  free(block);
  assert(!(overtaken && threads[5] - threads[4] == threads[4] - threads[3]));
}
