// Expect: assert
// main does not wait for the detached thread, which may come when the registry is destroyed.
#include <atomic>
#include <cassert>
#include <thread>

struct Registry {
  std::atomic<bool> is_there{true};
  ~Registry() { is_there = false; }
};
Registry registry;

int main() {
  std::thread([] { assert(registry.is_there); }).detach();
}
