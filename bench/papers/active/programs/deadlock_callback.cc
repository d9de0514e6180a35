// kind: deadlock
// A listener is called with the lock held, and locks something by itself.
#include <functional>
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
std::mutex registry, state;
std::function<void()> listener;
int value = 0;

void Notify() {
  std::unique_lock guard(registry);
  const auto call = listener;
  if (kCorrect) guard.unlock();
  call();
}

void Update() {
  std::lock_guard guard(state);
  ++value;
  std::lock_guard other(registry);
}
}  // namespace

int main() {
  listener = [] {
    std::lock_guard guard(state);
    ++value;
  };
  std::thread notifier([] {
    Work();
    Notify();
  });
  std::thread updater([] {
    Work();
    Update();
  });
  notifier.join();
  updater.join();
}
