// Expect: clean
// Exceptions across thread switches: each thread has its own caught exception and count of uncaught
// ones.
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

std::mutex mutex;

struct Switches {
  int expected;
  ~Switches() {
    for (int i = 0; i < 2; ++i) {
      std::this_thread::yield();
      std::lock_guard lock(mutex);
      assert(std::uncaught_exceptions() == expected);
    }
  }
};

void Body(int me) {
  for (int i = 0; i < 2; ++i) {
    std::string text = std::to_string(10 * me + i);
    try {
      Switches during_unwinding{1};
      throw std::runtime_error(text);
    } catch (const std::exception& error) {
      Switches in_handler{0};
      try {
        std::this_thread::yield();
        throw;
      } catch (const std::runtime_error& again) {
        std::this_thread::yield();
        assert(again.what() == text && std::current_exception() != nullptr);
      }
      assert(error.what() == text);
    }
    assert(std::current_exception() == nullptr && std::uncaught_exceptions() == 0);
  }
}

int main() {
  std::thread a(Body, 1), b(Body, 2);
  Body(3);
  a.join();
  b.join();
}
