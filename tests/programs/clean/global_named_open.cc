// Expect: clean
// A program with global variables called like functions of POSIX, which it does not use.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int open, poll, accept;

int main() {
  auto body = [] {
    std::lock_guard lock(mutex);
    ++open, ++poll, ++accept;
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
  assert(open == 2 && poll == 2 && accept == 2);
}
