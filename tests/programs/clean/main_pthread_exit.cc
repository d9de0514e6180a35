// Expect: clean
// main leaves by pthread_exit: its destructors run, the other threads go on, and the last one ends
// the process with 0.
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>

std::atomic<int> finished;
std::atomic<bool> main_unwound;

struct OnStack {
  ~OnStack() { main_unwound = true; }
};

int main() {
  std::atexit([] {
    if (finished != 2 || !main_unwound) _exit(1);
  });
  OnStack on_stack;
  for (int i = 0; i < 2; ++i)
    std::thread([] {
      while (!main_unwound) std::this_thread::yield();
      ++finished;
    }).detach();
  pthread_exit(nullptr);
}
