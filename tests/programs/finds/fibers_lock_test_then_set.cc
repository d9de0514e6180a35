// Expect: assert
// clean/fibers_lock.cc with a test and a store in place of the exchange: fibers of two threads are
// inside.
#include <ucontext.h>

#include <atomic>
#include <cassert>
#include <thread>

struct Fiber {
  ucontext_t context;
  alignas(16) char stack[64 << 10];
  bool done = false;
};

thread_local ucontext_t scheduler;
thread_local Fiber* current;
std::atomic<bool> locked;
std::atomic<int> inside, shared_sum;

void Leave(Fiber* fiber, ucontext_t* to) { swapcontext(&fiber->context, to); }

void Body() {
  Fiber* fiber = current;
  ucontext_t* to = &scheduler;
  for (int i = 0; i < 2; ++i) {
    while (locked) Leave(fiber, to);
    locked = true;
    assert(++inside == 1);
    Leave(fiber, to);  // with the lock
    --inside;
    ++shared_sum;
    locked.store(false, std::memory_order_release);
  }
  fiber->done = true;
}

void RunTwo() {
  auto* fibers = new Fiber[2];
  for (int i = 0; i < 2; ++i) {
    getcontext(&fibers[i].context);
    fibers[i].context.uc_stack.ss_sp = fibers[i].stack;
    fibers[i].context.uc_stack.ss_size = sizeof fibers[i].stack;
    fibers[i].context.uc_link = &scheduler;
    makecontext(&fibers[i].context, Body, 0);
  }
  while (!fibers[0].done || !fibers[1].done) {
    for (int i = 0; i < 2; ++i) {
      current = &fibers[i];
      if (!current->done) swapcontext(&scheduler, &current->context);
    }
    std::this_thread::yield();
  }
  delete[] fibers;
}

int main() {
  std::thread a(RunTwo), b(RunTwo);
  a.join();
  b.join();
  assert(shared_sum == 8);
}
