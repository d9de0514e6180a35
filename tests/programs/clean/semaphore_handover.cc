// Expect: clean
// A semaphore may be taken by one thread and given back by another, also after the first has ended.
#include <semaphore.h>

#include <semaphore>
#include <thread>

std::binary_semaphore standard(1);
sem_t posix;

int main() {
  sem_init(&posix, 0, 1);
  std::thread takes([] {
    standard.acquire();
    sem_wait(&posix);
  });
  takes.join();
  std::thread gives([] {
    standard.release();
    sem_post(&posix);
  });
  standard.acquire();
  sem_wait(&posix);
  gives.join();
  sem_destroy(&posix);
}
