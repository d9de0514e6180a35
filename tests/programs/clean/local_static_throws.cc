// Expect: clean
// The initialisation of a local static throws the first time: the next one is ordered after it.
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>

int attempts = 0;
int make() {
  if (++attempts == 1) throw std::runtime_error("x");
  return 42;
}
int main() {
  auto body = [] {
    for (;;) try {
        static int v = make();
        assert(v == 42);
        return;
      } catch (const std::runtime_error&) {
      }
  };
  std::thread a(body), b(body), c(body);
  a.join();
  b.join();
  c.join();
}
