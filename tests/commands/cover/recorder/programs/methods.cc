// Functions that are active in one thread while others act in another. (`run` itself may be on its
// way to the join, or not: it has no letter.)
//
// modes: free control
// mp: M>T M>H
// cmp: H,M=2 M,T=2
#include <pthread.h>

volatile long x;

__attribute__((noinline)) void helper() { x = x + 1; }  // H
__attribute__((noinline)) void* thread(void*) {         // T
  helper();
  return nullptr;
}

__attribute__((noinline)) void run() {
  pthread_t handle;
  pthread_create(&handle, nullptr, thread, nullptr);
  pthread_join(handle, nullptr);
}

int main() {  // M
  run();
  run();
}
