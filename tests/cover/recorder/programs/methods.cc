// Functions that are active in one thread while others act in another.
// modes: free control
// mp: F>T M>T F>H M>H
// cmp: F,T=2 M,T=2 F,H=2 M,H=2
#include <pthread.h>

volatile long x;

__attribute__((noinline)) void helper() { x = x + 1; }  // H
__attribute__((noinline)) void* thread(void*) {         // T
  helper();
  return nullptr;
}

__attribute__((noinline)) void run() {  // F
  pthread_t handle;
  pthread_create(&handle, nullptr, thread, nullptr);
  pthread_join(handle, nullptr);
}

int main() {  // M
  run();
  run();
}
