// Expect: hang
// Run: --hang-timeout 2
// A loop without a single schedule point, entered when the other thread has not set the flag: only
// a watchdog helps.
#include <atomic>
#include <thread>

std::atomic<bool> flag;

int main() {
  std::thread setter([] { flag = true; });
  if (!flag)
    for (;;) asm volatile("");
  setter.join();
}
