// Expect: lock-misuse
// The object goes away as soon as the flag is set; the other thread may still wait for it.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  bool waiting = false;
};

int main() {
  auto gate = std::make_unique<Gate>();
  std::thread waiter([gate = gate.get()] {
    std::unique_lock lock(gate->mutex);
    gate->waiting = true;
    gate->changed.wait_for(lock, std::chrono::seconds(1));
  });
  for (;;) {
    std::lock_guard guard(gate->mutex);
    if (gate->waiting) break;
  }
  gate.reset();
  waiter.join();
}
