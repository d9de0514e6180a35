// Expect: clean
// A handler that only sets a lock-free atomic ends the loops of two workers, which yield meanwhile.
#include <signal.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> stop;
static_assert(std::atomic<bool>::is_always_lock_free);

int main() {
  struct sigaction action = {};
  action.sa_handler = [](int) { stop = true; };
  sigaction(SIGTERM, &action, nullptr);
  std::atomic<int> ended = 0;
  auto body = [&] {
    while (!stop) std::this_thread::yield();
    ++ended;
  };
  std::thread a(body), b(body);
  raise(SIGTERM);
  a.join();
  b.join();
  assert(ended == 2);
}
