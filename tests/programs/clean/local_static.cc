// Expect: clean
// A function-local static with a slow initialiser, reached by several threads; one that throws at
// first.
#include <atomic>
#include <cassert>
#include <chrono>
#include <stdexcept>
#include <thread>

std::atomic<int> constructed, attempts;

struct Slow {
  int value = 0;
  Slow() {
    std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    value = 42;
    ++constructed;
  }
};

Slow& Instance() {
  static Slow slow;
  return slow;
}

int Retried() {
  static int value = [] {
    if (attempts++ == 0) throw std::runtime_error("first");
    return 5;
  }();
  return value;
}

int main() {
  auto body = [] {
    assert(Instance().value == 42);
    try {
      assert(Retried() == 5);
    } catch (const std::runtime_error&) {
      assert(Retried() == 5);
    }
  };
  std::thread a(body), b(body), c(body);
  a.join();
  b.join();
  c.join();
  assert(constructed == 1 && attempts == 2);
}
