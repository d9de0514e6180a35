// Expect: signal
// A process that kills itself, in one of the two orders, is not one that hangs.
#include <signal.h>

#include <atomic>
#include <thread>

std::atomic<bool> ready;

int main() {
  std::thread other([] { ready = true; });
  if (!ready) raise(SIGKILL);
  other.join();
}
