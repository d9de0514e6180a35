// Expect: deadlock
// The initialiser of a static waits for a thread which itself needs that static.
#include <thread>

int Value() {
  static int value = [] {
    std::thread helper([] { Value(); });
    helper.join();
    return 1;
  }();
  return value;
}

int main() { return Value() - 1; }
