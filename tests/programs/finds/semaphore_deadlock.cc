// Expect: deadlock
// Each of two threads needs two units of a semaphore that has two: each gets one.
#include <semaphore.h>

#include <thread>

sem_t units;

int main() {
  sem_init(&units, 0, 2);
  auto body = [] {
    sem_wait(&units);
    sem_wait(&units);
    sem_post(&units);
    sem_post(&units);
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
}
