// Expect: signal
// Recursion that only stops when the flag is set: the stack overflows in a thread that is too
// early.
#include <atomic>
#include <thread>

std::atomic<bool> flag;
int limit = 1 << 30;

int Recurse(int depth) {
  volatile char frame[1 << 12];
  frame[0] = 1;
  return depth < limit ? Recurse(depth + 1) + frame[0] : 0;
}

int main() {
  std::thread setter([] { flag = true; });
  std::thread recurses([] {
    if (!flag) Recurse(0);
  });
  setter.join();
  recurses.join();
}
