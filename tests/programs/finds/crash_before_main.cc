// Expect: signal
// A static's constructor starts a thread and uses its result without waiting for it: null before
// main.
#include <atomic>
#include <thread>

struct Service {
  std::atomic<int*> table = nullptr;
  int storage = 1;
  std::thread loader;
  Service() {
    loader = std::thread([this] { table = &storage; });
    *table.load() += 1;
    loader.join();
  }
} service;

int main() { return service.storage == 2 ? 0 : 1; }
