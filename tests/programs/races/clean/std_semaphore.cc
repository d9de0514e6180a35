// Expect: clean
// A binary semaphore as a signal, and another one as the answer.
#include <cassert>
#include <semaphore>
#include <thread>

std::binary_semaphore asked(0), answered(0);
int data;

int main() {
  std::thread worker([] {
    asked.acquire();
    data *= 2;
    answered.release();
  });
  data = 21;
  asked.release();
  answered.acquire();
  assert(data == 42);
  worker.join();
}
