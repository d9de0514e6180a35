// Expect: deadlock
// The barrier expects three, but a thread that sees the flag skips it: the other two wait forever.
#include <pthread.h>

#include <atomic>
#include <thread>

pthread_barrier_t barrier;
std::atomic<bool> skip;

int main() {
  pthread_barrier_init(&barrier, nullptr, 3);
  std::thread setter([] { skip = true; });
  auto body = [](bool may_skip) {
    if (may_skip && skip) return;
    pthread_barrier_wait(&barrier);
  };
  std::thread a(body, false), b(body, false), c(body, true);
  a.join();
  b.join();
  c.join();
  setter.join();
}
