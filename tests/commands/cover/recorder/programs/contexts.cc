// The same instruction, called from two places.
//
// modes: free control
// context: 1
// lp: W/A>R/B
// target: W/A>R/B R/B>W/A
#include <pthread.h>

volatile long x;

__attribute__((noinline)) void set(long value) { x = value; }  // W
__attribute__((noinline)) long get() { return x; }             // R

void* thread(void*) {
  return reinterpret_cast<void*>(get() + 1);  // B
}

int main() {
  set(1);  // A
  pthread_t handle;
  pthread_create(&handle, nullptr, thread, nullptr);
  pthread_join(handle, nullptr);
  return get() == 1 ? 0 : 1;  // C
}
