// Expect: clean
// One atomic<shared_ptr> that two threads exchange; it is only loaded when they have ended (see
// racy/libstdcxx_atomic_shared_ptr.cc).
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> current = std::make_shared<int>(1);

int main() {
  auto body = [](int value) {
    std::shared_ptr<int> before = current.exchange(std::make_shared<int>(value));
    assert(*before >= 1 && *before <= 3);
  };
  std::thread first(body, 2), second(body, 3);
  first.join();
  second.join();
  assert(*current.load() >= 2);
}
