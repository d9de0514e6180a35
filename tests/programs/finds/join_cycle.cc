// Expect: deadlock
// Three threads join each other in a ring; glibc's EDEADLK only covers rings of one and two.
#include <pthread.h>

#include <atomic>

pthread_t threads[3];
std::atomic<bool> known;

void* JoinsNext(void* next) {
  while (!known) {
  }
  pthread_join(*static_cast<pthread_t*>(next), nullptr);
  return nullptr;
}

int main() {
  for (int i = 0; i < 3; ++i)
    pthread_create(&threads[i], nullptr, JoinsNext, &threads[(i + 1) % 3]);
  known = true;
  pthread_exit(nullptr);
}
