// Expect: clean
// A fiber that goes on in another thread: main starts it, and hands it over through a mutex and a
// condition variable; the worker runs it to its end.
#include <ucontext.h>

#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

ucontext_t fiber, caller[2];
alignas(16) char stack[64 << 10];
std::mutex mutex;
std::condition_variable cv;
bool ready;
int where, steps;

void Body() {
  for (int i = 0; i < 2; ++i) {
    ++steps;
    swapcontext(&fiber, &caller[where]);
  }
  ++steps;
  setcontext(&caller[where]);
}

int main() {
  getcontext(&fiber);
  fiber.uc_stack.ss_sp = stack;
  fiber.uc_stack.ss_size = sizeof stack;
  makecontext(&fiber, Body, 0);
  std::thread worker([] {
    std::unique_lock lock(mutex);
    cv.wait(lock, [] { return ready; });
    where = 1;
    for (int i = 0; i < 2; ++i) swapcontext(&caller[1], &fiber);
  });
  swapcontext(&caller[0], &fiber);
  {
    std::lock_guard lock(mutex);
    ready = true;
  }
  cv.notify_one();
  worker.join();
  assert(steps == 3);
}
