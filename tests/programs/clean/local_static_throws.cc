// Expect: clean
// A local static whose first initialisation throws: the next thread tries again, and then all see
// the value. (std::call_once with exceptions hangs in some versions of libstdc++.)
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>

std::atomic<int> attempts, failures;

int Load() {
  if (++attempts == 1) throw std::runtime_error("not yet");
  return 42;
}

int main() {
  auto body = [] {
    for (;;) try {
        static int value = Load();
        assert(value == 42);
        return;
      } catch (const std::runtime_error&) {
        ++failures;
      }
  };
  std::thread a(body), b(body), c(body);
  a.join();
  b.join();
  c.join();
  assert(attempts == 2 && failures == 1);
}
