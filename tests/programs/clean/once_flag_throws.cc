// Expect: clean
// std::call_once with a function that throws the first time: the exception reaches one caller, and
// the next one carries it out.
#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

int main() {
  std::once_flag once;
  int attempts = 0, value = 0;
  std::atomic<int> failures = 0;
  auto body = [&] {
    for (;;) try {
        std::call_once(once, [&] {
          if (++attempts == 1) throw std::runtime_error("not yet");
          value = 42;
        });
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
